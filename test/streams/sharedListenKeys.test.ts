// Listen keys of three processes: made at one, good at all, extended and closed at any, and what
// they say to each other comes late, in any order and more than once.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  deriveListenKeyKey,
  makeListenKey,
  readListenKey,
} from '../../src/gateway/identity/makeListenKey.ts';
import { createPrng } from '../../src/std/prng.ts';
import { listenKeyLifeMs } from '../../src/streams/fapi/listenKeys.ts';
import {
  createSharedListenKeys,
  type ListenKeyNews,
  readsMax,
  type SharedListenKeys,
} from '../../src/streams/fapi/sharedListenKeys.ts';
import type { AccountId } from '../../src/units/units.ts';

const key = deriveListenKeyKey('a secret of logins with enough letters');
const account = 7 as AccountId;

function openProcesses(knows: (account: AccountId) => boolean = () => true) {
  const reads = { count: 0 };
  const clock = { at: 1_760_000_000_000, now: () => clock.at };
  const said: { readonly from: number; readonly news: ListenKeyNews }[] = [];
  const ended: string[] = [];
  const processes = [0, 1, 2].map((from) =>
    createSharedListenKeys({
      clock,
      make: (of, now) => makeListenKey({ key, account: of, now }, randomBytes),
      read: (text) => {
        reads.count += 1;
        return readListenKey(text, key);
      },
      knows,
      say: (news) => said.push({ from, news }),
      onEnd: (listenKey) => ended.push(`${from} ${listenKey.key}`),
    }),
  ) as [SharedListenKeys, SharedListenKeys, SharedListenKeys];
  /** What was said reaches the others. */
  const deliver = (): void => {
    for (const { from, news } of said.splice(0)) {
      for (const [to, each] of processes.entries()) if (to !== from) each.hear(news);
    }
  };
  return { clock, said, ended, processes, deliver, reads };
}

test('a key that one process has made is good at another one before that has heard of it', () => {
  const { processes, deliver, clock } = openProcesses();
  const [a, b, c] = processes;
  const made = a.open(account)!;
  expect(made).toMatch(/^[0-9A-Za-z]{64}$/);
  expect(b.find(made)?.account).toBe(account);
  deliver();
  for (const each of processes) expect(each.open(account)).toBe(made);
  clock.at += 60_000;
  expect(c.find(made)?.account).toBe(account);
});

test('a key is extended at any process, and ends everywhere an hour after the last time', () => {
  const { processes, deliver, clock, ended } = openProcesses();
  const [a, b, c] = processes;
  const made = a.open(account)!;
  expect(c.find(made)).toBeDefined();
  deliver();
  for (let half = 0; half < 5; half += 1) {
    clock.at += listenKeyLifeMs / 2;
    expect(b.keepAlive(account)).toBe(made);
    deliver();
    for (const each of processes) each.sweep();
  }
  expect(c.find(made)).toBeDefined();
  clock.at += listenKeyLifeMs + 3000;
  for (const each of processes) each.sweep();
  expect(ended).toEqual([`2 ${made}`]);
  for (const each of processes) expect(each.find(made)).toBeUndefined();
  expect(b.keepAlive(account)).toBeUndefined();
  const next = b.open(account)!;
  deliver();
  expect(next).not.toBe(made);
  for (const each of processes) {
    expect(each.find(made)).toBeUndefined();
    expect(each.find(next)).toBeDefined();
  }
});

test('a key that was closed at one process ends at the others, and never comes back', () => {
  const { processes, deliver, said, clock, ended } = openProcesses();
  const [a, b, c] = processes;
  const made = a.open(account)!;
  deliver();
  expect(c.find(made)).toBeDefined();
  a.close(account);
  // An extension that had not heard of it comes afterwards.
  b.keepAlive(account);
  said.reverse();
  deliver();
  expect(ended).toEqual([`2 ${made}`]);
  for (const each of processes) expect(each.find(made)).toBeUndefined();
  const next = c.open(account)!;
  deliver();
  clock.at += 3 * listenKeyLifeMs - 1;
  for (const each of processes) each.sweep();
  const last = b.open(account)!;
  deliver();
  for (const each of processes) {
    expect([made, next].map((text) => each.find(text))).toEqual([undefined, undefined]);
    expect(each.find(last)).toBeDefined();
  }
});

test('two processes that make a key at the same time: both are good, and all then give one', () => {
  const { processes, deliver } = openProcesses();
  const [a, b, c] = processes;
  const made = [a.open(account)!, b.open(account)!];
  deliver();
  for (const each of processes) for (const text of made) expect(each.find(text)).toBeDefined();
  expect(new Set(processes.map((each) => each.open(account))).size).toBe(1);
  c.close(account);
  deliver();
  for (const each of processes) for (const text of made) expect(each.find(text)).toBeUndefined();
});

test('texts that no process has made, and keys of accounts that are not here yet, are refused', () => {
  let known = false;
  const { processes } = openProcesses(() => known);
  const [a, b] = processes;
  const made = a.open(account)!;
  expect(b.find(made)).toBeUndefined();
  known = true;
  expect(b.find(made)).toBeDefined();
  const other = deriveListenKeyKey('another secret of logins, as long');
  const foreign = makeListenKey({ key: other, account, now: 1_760_000_000_000 }, randomBytes);
  for (const text of [foreign, 'z'.repeat(64), 'a'.repeat(63), '', `${made}0`]) {
    expect(b.find(text)).toBeUndefined();
  }
  const prng = createPrng(1);
  for (let index = 0; index < 64; index += 1) {
    const letter = 'abcXYZ019'[prng.below(9)]!;
    const altered = made.slice(0, index) + letter + made.slice(index + 1);
    if (altered !== made) expect(b.find(altered)).toBeUndefined();
  }
});

test('a flood of texts costs a bounded number of decryptions, and keys that were heard none', () => {
  const { processes, deliver, clock, reads } = openProcesses();
  const [a, b] = processes;
  const made = a.open(account)!;
  deliver();
  reads.count = 0;
  for (let index = 0; index < 100_000; index += 1) {
    expect(b.find(`${index}`.padEnd(64, 'x'))).toBeUndefined();
  }
  expect(reads.count).toBe(readsMax);
  expect(b.find(made)).toBeDefined();
  expect(reads.count).toBe(readsMax);
  // A new one is refused in this second, until it is heard.
  const other = a.open(8 as AccountId)!;
  expect(b.find(other)).toBeUndefined();
  deliver();
  expect(b.find(other)).toBeDefined();
  clock.at += 1000;
  expect(b.find(a.open(9 as AccountId)!)).toBeDefined();
});

test('names of streams are never read as keys, so they keep no new key out', () => {
  const { processes, reads } = openProcesses();
  const [a, b] = processes;
  for (let index = 0; index < 2 * readsMax; index += 1) {
    expect(b.find(`coin${index}usdt@depth`)).toBeUndefined();
  }
  expect(reads.count).toBe(0);
  expect(b.find(a.open(account)!)?.account).toBe(account);
});

test('whatever is lost and repeated on the way, in the end all processes agree', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const prng = createPrng(seed);
    const { processes, said, clock } = openProcesses();
    const all: typeof said = [];
    const keys = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      const each = processes[prng.below(3)]!;
      const made = [() => each.open(account), () => each.keepAlive(account)][prng.below(3)]?.();
      if (made === undefined) each.close(account);
      else keys.add(made);
      clock.at += prng.below(listenKeyLifeMs / 20);
      all.push(...said.splice(0));
      const heard = all[prng.below(Math.max(1, all.length))];
      if (heard !== undefined) processes[prng.below(3)]!.hear(heard.news);
    }
    for (const { news } of all.toSorted(() => prng.below(3) - 1)) {
      for (const each of processes) each.hear(news);
    }
    clock.at += 11_000;
    const seen = processes.map((each) => [...keys].map((text) => each.find(text) !== undefined));
    expect({ seed, second: seen[1], third: seen[2] }).toEqual({
      seed,
      second: seen[0],
      third: seen[0],
    });
  }
});
