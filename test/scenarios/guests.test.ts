// Accounts that nothing keeps (AUTH-5a): a login makes them, a day later nothing of them is left.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import {
  accountsMax,
  guestLifeMs,
  guestsForgottenPerBatchMax,
  numberRestMs,
  unfundedAccountsMax,
  unfundedNumbersMax,
  unfundedWithKeysMax,
} from '../../src/engine/limits.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { AccountId, Time } from '../../src/units/units.ts';
import { play } from './scenario.ts';
import { accountOf, addressOf, createWorld, drain, type World } from './world.ts';

const never = 0 as Time;
const start = 'market BTCUSDT\nindex 60000';

function run({ exchange }: World, command: Command) {
  const outcome = applyCommand(exchange, command, never);
  expect(checkInvariants(exchange).failures).toEqual([]);
  return outcome;
}

/** Passes time in batches of a second at the most. */
function pass(world: World, milliseconds: number): void {
  beginBatch(world.exchange, (world.exchange.time + milliseconds) as Time);
  drain(world);
  expect(checkInvariants(world.exchange).failures).toEqual([]);
}

const isThere = (world: World, name: string): boolean =>
  world.exchange.accountByAddress.has(addressOf(world, name));

const apiKey = (number: number): string => number.toString(16).padStart(64, '0');

function createKey(world: World, name: string, number: number) {
  const { id: account } = accountOf(world, name);
  return run(world, { kind: 'createApiKey', account, apiKey: apiKey(number), profile: 'p' });
}

function deleteKey(world: World, name: string): void {
  const { id: account, apiKeys } = accountOf(world, name);
  const { id, createdAt } = apiKeys[0]!;
  expect(run(world, { kind: 'deleteApiKey', account, id, createdAt }).kind).toBe('accepted');
}

test('AUTH-5a an account that was never credited is forgotten a day after its last login', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1`);
  pass(world, guestLifeMs - 1);
  expect(isThere(world, 'anna')).toBe(true);
  play(world, 'login anna nonce 2');
  pass(world, guestLifeMs - 1);
  expect(isThere(world, 'anna')).toBe(true);
  const { id } = accountOf(world, 'anna');
  pass(world, 1);
  expect(isThere(world, 'anna')).toBe(false);
  expect(world.exchange.accounts[id]).toBeUndefined();
  expect(world.recent).toContainEqual({ kind: 'accountForgotten', account: id });
  const command = { kind: 'setLeverage', account: id, market: 0, leverage: 5 } as never;
  const rejection = { reason: 'accountUnknown' };
  expect(run(world, command)).toEqual({ kind: 'rejected', rejection });
});

test('AUTH-5a a credit keeps an account for good, and readers learn of it only then', () => {
  const world = play(
    createWorld(),
    `${start}\nlogin anna nonce 1\ncredit ben 5\nlogin anna nonce 2`,
  );
  play(world, 'credit anna 5\ncredit anna 6\nlogin ben nonce 3');
  const reported = world.events.flatMap((event) =>
    event.kind === 'guestCreated' || event.kind === 'accountCreated'
      ? [`${event.kind} ${event.account}`]
      : [],
  );
  expect(reported).toEqual(['guestCreated 1', 'accountCreated 2', 'accountCreated 1']);
  play(world, 'anna withdraw 11\nben withdraw 5');
  pass(world, 10 * guestLifeMs);
  expect([isThere(world, 'anna'), isThere(world, 'ben')]).toEqual([true, true]);
});

test('AUTH-5a an API key keeps an account, and without its last key the account has one day', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1`);
  createKey(world, 'anna', 1);
  createKey(world, 'anna', 2);
  pass(world, 10 * guestLifeMs);
  deleteKey(world, 'anna');
  pass(world, 10 * guestLifeMs);
  expect(isThere(world, 'anna')).toBe(true);
  deleteKey(world, 'anna');
  pass(world, guestLifeMs - 1);
  expect(isThere(world, 'anna')).toBe(true);
  pass(world, 1);
  expect(isThere(world, 'anna')).toBe(false);
});

test('AUTH-5a an account that the operator has set up is kept', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1\nhouse anna`);
  pass(world, 10 * guestLifeMs);
  expect(isThere(world, 'anna')).toBe(true);
});

test('AUTH-5a a freed account number rests for a minute and is used again, the longest rested first', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1\nlogin ben nonce 2`);
  pass(world, 1000);
  play(world, 'login cleo nonce 3');
  pass(world, guestLifeMs - 1000);
  pass(world, 1000);
  expect(world.exchange.accounts.map((account) => account?.id)).toEqual([
    0,
    undefined,
    undefined,
    undefined,
  ]);
  pass(world, numberRestMs - 1001);
  play(world, 'login dora nonce 4');
  expect(accountOf(world, 'dora').id).toBe(4);
  pass(world, 1);
  play(world, 'credit eve 5\nlogin finn nonce 5\nlogin gina nonce 6');
  // The third number has not rested yet.
  expect(['eve', 'finn', 'gina'].map((name) => accountOf(world, name).id)).toEqual([1, 2, 5]);
  expect(accountOf(world, 'finn')).toMatchObject({
    apiKeys: [],
    positions: [],
    guestSince: world.exchange.time,
  });
});

test('AUTH-5a a guest cannot leave state behind, because every such request needs money', () => {
  const world = play(
    createWorld(),
    `
    ${start}
    credit maker 10000
    maker sell 0.01 @ 60000
    login anna nonce 1
    `,
  );
  const { sequence } = world.exchange;
  play(
    world,
    `
    anna buy 1 @ 50000 -> marginInsufficient
    anna buy 1 @ 60000 FOK -> marginInsufficient
    anna buy 1 @ 50000 FOK -> marginInsufficient
    anna buy 1 @ 50000 IOC -> marginInsufficient
    anna buy 1 @ 50000 GTX key k request r -> marginInsufficient
    anna sell 1 market -> marginInsufficient
    anna buy 1 market -> marginInsufficient
    anna sell 1 market reduceOnly -> reduceOnlyRejected
    anna trigger buy 1 STOP_MARKET stop 61000 -> equityInsufficient
    anna trigger sell 1 STOP_MARKET stop 59000 reduceOnly -> reduceOnlyRejected
    anna trigger sell close STOP_MARKET stop 59000 -> reduceOnlyRejected
    anna countdown 1000 -> equityInsufficient
    anna withdraw 1 -> balanceInsufficient
    anna leverage 5
    anna mode isolated
    anna countdown 0
    `,
  );
  const account = accountOf(world, 'anna');
  expect(account.idempotency.size).toBe(0);
  // The number of the nonce's timer.
  expect(world.exchange.sequence).toBe(sequence);
  pass(world, guestLifeMs);
  expect(isThere(world, 'anna')).toBe(false);
  const about = world.events.filter((event) => 'account' in event && event.account === account.id);
  expect(about.map(({ kind }) => kind)).toEqual([
    'guestCreated',
    'loggedIn',
    'leverageSet',
    'marginModeSet',
    'countdownSet',
    'accountForgotten',
  ]);
});

test('AUTH-5a 100,000 logins of new wallets leave no trace after a day', () => {
  const logins = 100_000;
  const batches = logins / guestsForgottenPerBatchMax;
  const [visited, calm] = [logins, 0].map((count) => {
    const { exchange } = play(createWorld(), 'credit anna 5');
    for (let number = 0; number < count; number += 1) {
      const address = `0x${number.toString(16).padStart(40, '0')}`;
      // Bounds of nonces are another test's.
      if (number % 50_000 === 0) beginBatch(exchange, (exchange.time + 1000) as Time);
      const expiresAt = (exchange.time + 500) as Time;
      applyCommand(exchange, { kind: 'login', address, nonce: `n${number}`, expiresAt }, never);
    }
    expect(exchange.accountByAddress.size).toBe(count + 2);
    for (let batch = 0; batch <= batches; batch += 1) {
      const pause = batch === 0 ? guestLifeMs : 1000;
      beginBatch(exchange, (exchange.time + pause) as Time);
      exchange.events = [];
    }
    return exchange;
  });
  expect(checkInvariants(visited!).failures).toEqual([]);
  expect(visited!.guests.vacancies.items.length).toBe(logins);
  // Beside the numbers that are free again, all is as if nothing had come.
  visited!.guests.vacancies.items.length = 0;
  visited!.accounts.length = 2;
  visited!.sequence = calm!.sequence;
  expect(visited!.timers.items.length).toBe(0);
  expect(visited!.nonces.size).toBe(0);
  expect(stateHash(visited!)).toBe(stateHash(calm!));
});

const loginOf = (world: World, name: string) =>
  applyCommand(
    world.exchange,
    {
      kind: 'login',
      address: addressOf(world, name),
      nonce: `of ${name}`,
      expiresAt: (world.exchange.time + 1000) as Time,
    },
    never,
  );

const full = (limit: string) => ({
  kind: 'rejected',
  rejection: { reason: 'capacityReached', limit },
});

test('AUTH-5a at the bound the oldest guest is removed at once, and never another account', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1\nlogin ben nonce 2`);
  pass(world, 1000);
  play(world, 'login anna nonce 3\ncredit cleo 5');
  const { guests } = world.exchange;
  guests.unfunded = unfundedAccountsMax;
  expect(loginOf(world, 'dora').kind).toBe('accepted');
  // Anna came first and has come again.
  expect(['anna', 'ben', 'cleo', 'dora'].map((name) => isThere(world, name))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(guests.unfunded).toBe(unfundedAccountsMax);
  guests.unfunded -= 1;
  expect(loginOf(world, 'eve').kind).toBe('accepted');
  expect(isThere(world, 'anna')).toBe(true);
});

test('AUTH-5a capacityReached: when no guest can be removed, a new wallet is refused', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1\ncredit ben 5`);
  createKey(world, 'anna', 1);
  world.exchange.guests.unfunded = unfundedAccountsMax;
  const before = stateHash(world.exchange);
  expect(loginOf(world, 'cleo')).toEqual(full('accounts'));
  expect(stateHash(world.exchange)).toBe(before);
  // A wallet with an account can log in, and a credit finds room.
  expect(loginOf(world, 'anna').kind).toBe('accepted');
  expect(loginOf(world, 'ben').kind).toBe('accepted');
  play({ ...world, exchange: recounted(world.exchange) }, 'credit cleo 5');
});

test('AUTH-5a capacityReached: numbers of accounts without money are bounded, including resting numbers', () => {
  const world = play(createWorld(), `${start}\nlogin anna nonce 1`);
  const { guests, time } = world.exchange;
  const resting = unfundedNumbersMax - 1;
  for (let id = 0; id < resting; id += 1) {
    guests.vacancies.items.push({ id: (id + 1000) as AccountId, since: (time + 1) as Time });
  }
  expect(loginOf(world, 'ben')).toEqual(full('accounts'));
  guests.vacancies.items.length -= 1;
  expect(loginOf(world, 'ben').kind).toBe('accepted');
  expect(accountsMax - unfundedNumbersMax).toBeGreaterThanOrEqual(accountsMax / 2);
});

test('AUTH-5a capacityReached: accounts with keys and without money are bounded', () => {
  const world = play(
    createWorld(),
    `${start}\nlogin anna nonce 1\nlogin ben nonce 2\ncredit cleo 5`,
  );
  const { guests } = world.exchange;
  guests.unfundedWithKeys = unfundedWithKeysMax - 1;
  const create = (name: string, number: number) => {
    const { id: account } = accountOf(world, name);
    const command = {
      kind: 'createApiKey',
      account,
      apiKey: apiKey(number),
      profile: 'p',
    } as const;
    return applyCommand(world.exchange, command, never);
  };
  expect(create('anna', 1).kind).toBe('accepted');
  expect(create('ben', 2)).toEqual(full('apiKeysWithoutMoney'));
  // Neither one more key of the same account nor one of an account with money is held by it.
  expect(create('anna', 3).kind).toBe('accepted');
  expect(create('cleo', 4).kind).toBe('accepted');
});

/** Counts what there is, so that the checks after a step hold again. */
function recounted(exchange: Exchange): Exchange {
  const unfunded = exchange.accounts.filter((account) => account?.funded === false);
  exchange.guests.unfunded = unfunded.length;
  return exchange;
}
