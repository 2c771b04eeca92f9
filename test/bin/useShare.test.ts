// Limits that three processes have together, with the real counters and the holder in the middle:
// how far a client gets beyond a limit, and what is the same everywhere a moment later.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUseShare, type UseShare } from '../../src/bin/createUseShare.ts';
import { createLoginLimit, loginLimitsDefault } from '../../src/gateway/identity/loginLimit.ts';
import { createNewAccountLimit } from '../../src/gateway/identity/newAccountLimit.ts';
import {
  createRateLimits,
  giveBackInMinute,
  publicWeightMax,
  recordOf,
  takeInMinute,
  usedInMinute,
  whileReturnable,
} from '../../src/gateway/rateLimits.ts';
import { stepsPerLimit } from '../../src/gateway/tallies.ts';
import { decodeMessage, encodeMessage, type Uses } from '../../src/link/linkMessage.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';

const client = '10.0.0.1';

function openProcess(process: string, { clock, scheduler }: ReturnType<typeof createVirtualTime>) {
  const uses = createUseShare({ process, clock, scheduler });
  const { tallies } = uses;
  const limits = createRateLimits({ tallies });
  const useOf = () => recordOf(limits.addresses, client, clock.now());
  return {
    ...{ process, uses, limits, useOf },
    logins: createLoginLimit(undefined, tallies),
    newAccounts: createNewAccountLimit(undefined, undefined, tallies),
    take: (amount = 1) =>
      takeInMinute(useOf().weight, { amount, ceiling: publicWeightMax, now: clock.now() }),
    used: () => usedInMinute(useOf().weight, clock.now()),
  };
}

type Process = ReturnType<typeof openProcess>;

/** Messages go as bytes, as over a real link. */
function join(holder: Process, follower: Process, link: number): void {
  const through = (to: UseShare) => (message: Uses) =>
    to.onUses(decodeMessage(encodeMessage(message)) as Uses);
  holder.uses.onLink(link, follower.process, through(follower.uses));
  follower.uses.onLink(link, holder.process, through(holder.uses));
}

function openThree() {
  const time = createVirtualTime();
  const processes = ['holder', 'a', 'b'].map((name) => openProcess(name, time));
  const [holder, a, b] = processes as [Process, Process, Process];
  join(holder, a, 1);
  join(holder, b, 2);
  return { time, processes, holder, a, b };
}

test('AUTH-7 a client at three processes has one limit, and at most a bounded rest beyond it', async () => {
  const { time, processes } = openThree();
  const perTurn = 20;
  let admitted = 0;
  for (let turn = 0; turn < 400; turn += 1) {
    for (const { take } of processes) {
      for (let sent = 0; sent < perTurn; sent += 1) if (take()) admitted += 1;
    }
    await nextTurn();
    if (turn % 10 === 0) time.advance(1);
  }
  // What one process has counted and another one does not know: a step, and what comes while a
  // message goes to the holder and on.
  const unknown = publicWeightMax / stepsPerLimit + 3 * perTurn;
  expect(admitted).toBeGreaterThanOrEqual(publicWeightMax);
  expect(admitted).toBeLessThanOrEqual(publicWeightMax + 2 * unknown);
  time.advance(100);
  for (const { used } of processes) expect(used()).toBe(admitted);
});

test('AUTH-7 what a slow client uses is known everywhere after two exchanges, and forgotten with its minute', () => {
  const { time, a, b, holder } = openThree();
  a.take(100);
  b.take(10);
  holder.take(1);
  time.advance(100);
  for (const { used } of [a, b, holder]) expect(used()).toBe(111);
  time.advance(60_000);
  a.take(2);
  time.advance(100);
  for (const { used } of [a, b, holder]) expect(used()).toBe(2);
});

test('AUTH-7 a link that breaks loses nothing and counts nothing twice', () => {
  const { time, a, b, holder } = openThree();
  a.take(50);
  time.advance(100);
  for (const { uses } of [a, holder]) uses.onLinkGone(1);
  a.take(7);
  b.take(20);
  time.advance(100);
  expect([a.used(), b.used(), holder.used()]).toEqual([57, 70, 70]);
  join(holder, a, 3);
  time.advance(100);
  for (const { used } of [a, b, holder]) expect(used()).toBe(77);
});

test('AUTH-7 a good token that is being checked counts at no other process', async () => {
  const { time, a, b } = openThree();
  const { native } = a.useOf();
  takeInMinute(native, { amount: 3, ceiling: 6000, now: time.clock.now() });
  await whileReturnable(a.useOf(), 3, async () => time.advance(200));
  giveBackInMinute(native, 3, time.clock.now());
  time.advance(200);
  expect(usedInMinute(b.useOf().native, time.clock.now())).toBe(0);
  takeInMinute(native, { amount: 3, ceiling: 6000, now: time.clock.now() });
  time.advance(200);
  expect(usedInMinute(b.useOf().native, time.clock.now())).toBe(3);
});

test('AUTH-5 attempts to log in and new accounts of one client have one limit', () => {
  const { time, processes } = openThree();
  let attempts = 0;
  let made = 0;
  for (let turn = 0; turn < 300; turn += 1) {
    for (const { logins, newAccounts } of processes) {
      if (logins.admit(client, '0xa', time.clock.now())) attempts += 1;
      if (newAccounts.admit(client, time.clock.now())) made += 1;
    }
    time.advance(100);
  }
  // Two processes admit one more each before they hear.
  expect(attempts).toBeGreaterThanOrEqual(loginLimitsDefault.perPairMax);
  expect(attempts).toBeLessThanOrEqual(loginLimitsDefault.perPairMax + 2);
  expect(made).toBeGreaterThanOrEqual(200);
  expect(made).toBeLessThanOrEqual(202);
});
