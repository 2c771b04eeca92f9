// Logins and API keys as the engine sees them (spec, API key status; AUTH-5). Signatures, secrets
// and whitelists are the gateway's.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { apiKeysPerAccountMax } from '../../src/engine/limits.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { AccountId, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld, drain, type World } from './world.ts';

scenario(
  'AUTH-5 nonceUsed, nonceExpired: a login uses its nonce once and creates the account',
  `
  login anna nonce one expires 300000 -> accepted
  login anna nonce one expires 300000 -> nonceUsed
  login ben nonce one expires 300000 -> nonceUsed
  login anna nonce two expires 0 -> nonceExpired
  login anna nonce three expires -1 -> nonceExpired
  login anna nonce four expires 1 -> accepted
  # The nonce is remembered until it would have expired anyway.
  after 299999
  login anna nonce one expires 1 -> nonceUsed
  after 1
  login anna nonce one expires 0 -> nonceExpired
  `,
);

function run(world: World, command: Command) {
  const before = stateHash(world.exchange);
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  const rejection = outcome.kind === 'rejected' ? outcome.rejection.reason : undefined;
  if (rejection !== undefined) expect(stateHash(world.exchange)).toBe(before);
  return { rejection, apiKey: outcome.kind === 'accepted' ? outcome.apiKey : undefined };
}

const keyText = (number: number): string => number.toString(16).padStart(64, '0');

test('AUTH-4 apiKeysLimit, referenceConflict: an account has at most thirty keys, and each text once', () => {
  const world = play(createWorld(), 'login anna nonce one\nlogin ben nonce two');
  const account = accountOf(world, 'anna').id;
  const create = (number: number, owner = account) =>
    run(world, { kind: 'createApiKey', account: owner, apiKey: keyText(number), profile: 'p' });
  expect(create(1).apiKey).toMatchObject({ status: 'active', rateTier: 'standard' });
  expect(create(1, accountOf(world, 'ben').id).rejection).toBe('referenceConflict');
  for (let number = 2; number <= apiKeysPerAccountMax; number += 1) create(number);
  expect(create(31).rejection).toBe('apiKeysLimit');
  expect(create(31, 99 as AccountId).rejection).toBe('accountUnknown');
  expect(create(31, accountOf(world, 'ben').id).rejection).toBeUndefined();
  const first = accountOf(world, 'anna').apiKeys[0]!;
  const { id, createdAt } = first;
  expect(run(world, { kind: 'deleteApiKey', account, id, createdAt }).rejection).toBeUndefined();
  expect(create(32).rejection).toBeUndefined();
});

test('AUTH-4 apiKeyUnknown: a key is disabled, enabled, moved to a tier and removed for good', () => {
  const world = play(createWorld(), 'login anna nonce one\nlogin ben nonce two');
  const account = accountOf(world, 'anna').id;
  const other = accountOf(world, 'ben').id;
  const apiKey = keyText(7);
  run(world, { kind: 'createApiKey', account, apiKey, profile: 'p' });
  const { id, createdAt } = accountOf(world, 'anna').apiKeys[0]!;
  const update = (owner: typeof account, status: 'active' | 'disabled') =>
    run(world, { kind: 'updateApiKey', account: owner, id, createdAt, status, profile: undefined });
  expect(update(account, 'disabled').apiKey?.status).toBe('disabled');
  expect(update(account, 'active').apiKey?.status).toBe('active');
  expect(update(other, 'disabled').rejection).toBe('apiKeyUnknown');
  const tier = (text: string) =>
    run(world, { kind: 'setRateTier', apiKey: text, rateTier: 'house' });
  expect(tier(apiKey).apiKey?.rateTier).toBe('house');
  expect(tier(keyText(8)).rejection).toBe('apiKeyUnknown');
  const remove = () => run(world, { kind: 'deleteApiKey', account, id, createdAt });
  expect(remove().apiKey?.id).toBe(id);
  expect(remove().rejection).toBe('apiKeyUnknown');
  expect(tier(apiKey).rejection).toBe('apiKeyUnknown');
});

test('AUTH-4 apiKeyChanged: of two changes that start from one profile only the first succeeds', () => {
  const world = play(createWorld(), 'login anna nonce one');
  const account = accountOf(world, 'anna').id;
  run(world, { kind: 'createApiKey', account, apiKey: keyText(7), profile: 'first' });
  const { id, createdAt } = accountOf(world, 'anna').apiKeys[0]!;
  const named = { kind: 'updateApiKey', account, id, createdAt, status: undefined } as const;
  const listed = run(world, { ...named, profile: 'with a list', before: 'first' });
  expect(listed.apiKey?.profile).toBe('with a list');
  const outrun = {
    ...named,
    status: 'disabled',
    profile: 'with a label',
    before: 'first',
  } as const;
  expect(run(world, outrun).rejection).toBe('apiKeyChanged');
  expect(accountOf(world, 'anna').apiKeys[0]).toMatchObject({
    profile: 'with a list',
    status: 'active',
  });
});

test('AUTH-4 AUTH-5 logins and changes of keys are events with the state that follows', () => {
  const world = play(createWorld(), 'login anna nonce one');
  const { exchange } = world;
  const { id: account } = accountOf(world, 'anna');
  const create = (number: number) =>
    run(world, { kind: 'createApiKey', account, apiKey: keyText(number), profile: 'p' }).apiKey!;
  const { id, createdAt } = create(1);
  create(2);
  play(world, 'after 1000');
  const { createdAt: later } = create(3);
  // Both halves of the id must be the key's.
  const update = { kind: 'updateApiKey', account, status: undefined, profile: 'q' } as const;
  expect(run(world, { ...update, id, createdAt: later }).rejection).toBe('apiKeyUnknown');
  expect(run(world, { ...update, id, createdAt }).apiKey).toMatchObject({ status: 'active' });
  run(world, { kind: 'setRateTier', apiKey: keyText(1), rateTier: 'house' });
  run(world, {
    kind: 'updateApiKey',
    account,
    id,
    createdAt,
    status: 'disabled',
    profile: undefined,
  });
  run(world, { kind: 'deleteApiKey', account, id, createdAt });
  drain(world);
  const key = { id, account, apiKey: keyText(1) };
  const kinds = ['guestCreated', 'loggedIn', 'apiKeyCreated', 'apiKeyCreated', 'apiKeyCreated'];
  const [reported, changed] = [world.events.slice(0, 5), world.events.slice(6)];
  expect(reported.map(({ kind }) => kind)).toEqual(kinds);
  expect(reported[2]).toEqual({ kind: 'apiKeyCreated', ...key });
  const updated = { kind: 'apiKeyUpdated', ...key, status: 'active', rateTier: 'standard' };
  expect(changed).toEqual([
    { ...updated, profile: 'q' },
    { ...updated, profile: 'q', rateTier: 'house' },
    { ...updated, profile: 'q', rateTier: 'house', status: 'disabled' },
    { kind: 'apiKeyDeleted', ...key },
  ]);
  expect(exchange.apiKeys.has(keyText(1))).toBe(false);
});
