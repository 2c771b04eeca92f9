// Sessions (AUTH-11): listed, ended, and the fresh login that a new key needs (AUTH-12).

import { expect, test } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { useExchange, world } from '../fixtures/useTraders.ts';

useExchange();

const over = { status: 401, code: 'INVALID_TOKEN' };

async function funded(seed: number): Promise<void> {
  const { address } = await world.login(seed);
  const { operator } = world.client({ operatorToken });
  await operator.creditAccount({ address, amount: '1000', reference: `start of ${seed}` });
}

test('AUTH-11 a session shows its login, and an ended one gives no access, also after a restore', async () => {
  const first = (await world.login(1)).client.native;
  world.clock.advance(1000);
  const second = (await world.login(1)).client.native;
  const listed = await second.listSessions();
  expect(listed).toMatchObject([
    { created_at: world.clock.now(), current: true, last_used_at: world.clock.now() },
    { created_at: world.clock.now() - 1000, current: false, last_used_at: null },
  ]);
  expect(listed[0]!.address).toMatch(/^127\./);
  await second.endSession({ id: listed[1]!.id });
  await expect(first.listSessions()).rejects.toMatchObject(over);
  const { exchange } = world.replica;
  const sections: Buffer[] = [];
  encodeSnapshot(exchange as never, (section) => sections.push(Buffer.from(section)));
  expect(stateHash(decodeSnapshot(sections))).toBe(stateHash(exchange as never));
  await expect(second.endSession({ id: listed[1]!.id })).rejects.toMatchObject({ status: 404 });
  await second.logout();
  await expect(second.listSessions()).rejects.toMatchObject(over);
});

test('AUTH-11 sessionUnknown: all other sessions end at once, and those of another account stay', async () => {
  const other = (await world.login(2)).client.native;
  const [theirs] = await other.listSessions();
  const old = (await world.login(1)).client.native;
  const present = (await world.login(1)).client.native;
  await expect(present.endSession({ id: theirs!.id })).rejects.toMatchObject({ status: 404 });
  expect(await present.endOtherSessions()).toEqual({ cancelled: 1 });
  await expect(old.listSessions()).rejects.toMatchObject(over);
  expect(await present.listSessions()).toHaveLength(1);
  expect(await other.listSessions()).toHaveLength(1);
});

test('AUTH-11 an account keeps its last twenty sessions, one without money three', async () => {
  await funded(1);
  for (let i = 0; i < 30; i += 1) {
    world.clock.advance(60_000);
    const { client } = await world.login(1);
    if (i === 29) expect(await client.native.listSessions()).toHaveLength(20);
  }
  for (let i = 0; i < 4; i += 1) await world.login(2);
  const { client } = await world.login(2);
  expect(await client.native.listSessions()).toHaveLength(3);
});

test('AUTH-12 a new API key needs a login of the last thirty minutes', async () => {
  const { native } = (await world.login(1)).client;
  world.clock.advance(30 * 60_000);
  await native.createApiKey();
  world.clock.advance(1000);
  const late = { status: 401, code: 'LOGIN_TOO_OLD' };
  await expect(native.createApiKey()).rejects.toMatchObject(late);
  expect(await native.listApiKeys()).toHaveLength(1);
  await (await world.login(1)).client.native.createApiKey();
});
