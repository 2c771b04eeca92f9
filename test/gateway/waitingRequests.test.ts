// What a process that follows answers to a request that waits until its state is current. Goal: the
// answer is as if the request had come after everything that other processes did before. Method:
// while a request waits, or its command is on its way to the process that writes, something is done
// elsewhere.

import { beforeEach, expect, test } from 'vitest';
import { accountOf } from '../../src/bin/createForwarder.ts';
import { isStillCaller } from '../../src/bin/isStillCaller.ts';
import type { Client } from '../../src/client/client.ts';
import { apiKeysOf } from '../../src/engine/views/account.ts';
import { accountByAddress } from '../../src/engine/views/exchange.ts';
import { SecretsNotTaken } from '../../src/secrets/sharedSecrets.ts';
import { must } from '../../src/std/assert.ts';
import { stopwatchMs } from '../../src/std/clock.ts';
import { alice, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

/** Another process does this after the next request was admitted and before this one knows. */
let elsewhere: (() => Promise<unknown>) | undefined;
/** How often a request has waited until the state is current. */
let waits = 0;

const takeElsewhere = (): Promise<unknown> | undefined => {
  const act = elsewhere;
  elsewhere = undefined;
  return act?.();
};

beforeEach(() => {
  const { replica } = world;
  const { submit } = replica;
  waits = 0;
  const whenCurrent = (task: () => void): void => {
    waits += 1;
    const act = takeElsewhere();
    if (act === undefined) task();
    else void act.then(task);
  };
  // The process that writes compares the caller when the command arrives there.
  const passOn: typeof submit = (command, lane, waiter) => {
    const { passedOn } = waiter;
    const act = passedOn && takeElsewhere();
    if (act === undefined || passedOn === undefined) return submit(command, lane, waiter);
    void act.then(() => {
      if (isStillCaller(replica.exchange, accountOf(command), passedOn.caller)) {
        submit(command, lane, waiter);
      } else passedOn.onChanged();
    });
    return true;
  };
  Object.assign(replica, { whenCurrent, submit: passOn });
});

type Key = { readonly id: string; readonly client: Client };

async function makeKey(): Promise<Key> {
  const made = await alice.native.createApiKey({ label: 'one' });
  const { id, api_key: apiKey, secret_key: secretKey } = made;
  return { id, client: world.client({ apiKey, secretKey }) };
}

const limit = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY' } as const;
const order = { ...limit, quantity: '0.01', price: '40000', timeInForce: 'GTC' } as const;

/** A new key neither reads nor writes when this is done to it meanwhile. */
async function expectBarred(
  meanwhile: (key: { readonly id: string }) => Promise<unknown>,
  refused: object,
): Promise<void> {
  const asks = [
    (client: Client) => client.fapi.getBalanceV2(),
    (client: Client) => client.fapi.placeOrder(order),
  ];
  for (const ask of asks) {
    const { id, client } = await makeKey();
    let hash = '';
    elsewhere = async () => {
      await meanwhile({ id });
      hash = world.stateHash();
    };
    await expect(ask(client)).rejects.toMatchObject(refused);
    expect(world.stateHash()).toBe(hash);
  }
}

test('a command is passed on without a question to the process that writes', async () => {
  const { client } = await makeKey();
  waits = 0;
  const { orderId } = await client.fapi.placeOrder(order);
  await client.fapi.cancelOrder({ symbol: 'BTCUSDT', orderId });
  await alice.native.placeNativeOrder(order);
  expect(waits).toBe(0);
  await client.fapi.getBalanceV2();
  expect(waits).toBe(1);
});

test('an order for a market that was just listed elsewhere is no unknown market', async () => {
  const { client } = await makeKey();
  const asked = { ...order, symbol: 'NEWUSDT' } as const;
  await expect(client.fapi.placeOrder(asked)).rejects.toMatchObject({ code: -1121 });
  elsewhere = () =>
    operator().listMarket({
      ...{ symbol: 'NEWUSDT', base_asset: 'NEW', tick_size: '0.1', lot_size: '0.001' },
      max_leverage: 10,
    });
  // The market is known now, and it has no price yet.
  await expect(client.fapi.placeOrder(asked)).rejects.not.toMatchObject({ code: -1121 });
});

test('a batch waits when one of its orders would be refused here', async () => {
  const { client } = await makeKey();
  waits = 0;
  const orders = [order, { ...order, symbol: 'NEWUSDT' }];
  const batchOrders = orders as unknown as Parameters<
    typeof client.fapi.placeBatchOrders
  >[0]['batchOrders'];
  elsewhere = () =>
    operator().listMarket({
      ...{ symbol: 'NEWUSDT', base_asset: 'NEW', tick_size: '0.1', lot_size: '0.001' },
      max_leverage: 10,
    });
  const [placed, refused] = await client.fapi.placeBatchOrders({ batchOrders });
  // The listing is a request that waits, too.
  expect(waits).toBe(2);
  expect(placed).toMatchObject({ status: 'NEW' });
  expect(refused).not.toMatchObject({ code: -1121 });
  await client.fapi.placeBatchOrders({ batchOrders: [order, order] as typeof batchOrders });
  expect(waits).toBe(2);
});

test('a change of a trigger by the id of its client is one of the trigger that has it now', async () => {
  const stop = { symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_MARKET', quantity: '0.01' } as const;
  const named = { ...stop, client_order_id: 'mine' };
  const first = await alice.native.placeNativeTrigger({ ...named, trigger_price: '60000' });
  let second = '';
  elsewhere = async () => {
    await alice.native.cancelNativeTrigger({ id: first.algo_id });
    ({ algo_id: second } = await alice.native.placeNativeTrigger({
      ...named,
      trigger_price: '61000',
    }));
  };
  const changed = await alice.native.modifyNativeTrigger({ id: 'mine', trigger_price: '62000' });
  expect(changed).toMatchObject({ algo_id: second, trigger_price: '62000.0' });
});

test('a key whose label changes elsewhere places its order once', async () => {
  const { id, client } = await makeKey();
  elsewhere = () => alice.native.updateApiKey({ id, label: 'two' });
  await client.fapi.placeOrder(order);
  expect(elsewhere).toBeUndefined();
  expect(await client.fapi.getOpenOrders({})).toHaveLength(1);
});

test('AUTH-11 a token whose session ends elsewhere places no order', async () => {
  let hash = '';
  elsewhere = async () => {
    await alice.native.logout();
    hash = world.stateHash();
  };
  const placed = alice.native.placeNativeOrder(order);
  await expect(placed).rejects.toMatchObject({ status: 401 });
  expect(world.stateHash()).toBe(hash);
});

test('the deadline of a command counts from the receipt of its request', async () => {
  const { id, client } = await makeKey();
  const { submit } = world.replica;
  const ages: number[] = [];
  Object.assign(world.replica, {
    submit: (...sent: Parameters<typeof submit>) => {
      const { beside, passedOn } = sent[2];
      // At first the order is passed on; the key has changed, so it waits and is sent again.
      if (passedOn === undefined) ages.push(must(beside, 'a command of a client has an age').ageMs);
      return submit(...sent);
    },
  });
  let waitedMs = 0;
  elsewhere = async () => {
    const began = stopwatchMs();
    await alice.native.updateApiKey({ id, label: 'two' });
    ages.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
    waitedMs = stopwatchMs() - began;
  };
  await client.fapi.placeOrder(order);
  expect(ages.length).toBe(1);
  expect(ages[0]).toBeGreaterThanOrEqual(Math.floor(waitedMs));
});

test('AUTH-5 a key that is disabled elsewhere opens nothing here from then on', async () => {
  const disable = (key: { readonly id: string }): Promise<unknown> =>
    alice.native.updateApiKey({ ...key, status: 'disabled' });
  await expectBarred(disable, { code: 'API_KEY_DISABLED' });
});

test('AUTH-5 a key that is deleted elsewhere opens nothing here from then on', async () => {
  await expectBarred((key) => alice.native.deleteApiKey(key), { code: 'INVALID_API_KEY' });
});

test('AUTH-5 an address list that changes elsewhere holds here from then on', async () => {
  const close = (key: { readonly id: string }): Promise<unknown> =>
    alice.native.updateApiKey({ ...key, ip_whitelist: '203.0.113.7' });
  await expectBarred(close, { code: 'IP_NOT_ALLOWED' });
});

test('AUTH-5 a key that is enabled or opened to an address elsewhere is good here at once', async () => {
  const { id, client } = await makeKey();
  await alice.native.updateApiKey({ id, status: 'disabled' });
  elsewhere = () => alice.native.updateApiKey({ id, status: 'active' });
  expect(await client.fapi.getBalanceV2()).toHaveLength(1);
  await alice.native.updateApiKey({ id, ip_whitelist: '203.0.113.7' });
  elsewhere = () => alice.native.updateApiKey({ id, ip_whitelist: '' });
  expect(await client.fapi.getBalanceV2()).toHaveLength(1);
});

test('AUTH-4 two processes that change label and list of a key at once lose neither', async () => {
  const { id, client } = await makeKey();
  const account = must(accountByAddress(world.replica.exchange, alice.address), 'alice is there');
  const key = must(apiKeysOf(account).at(-1), 'its key is the last');
  const { keys, perform } = world.gateway.deployment;
  const { putProfile } = keys;
  const ipWhitelist = '203.0.113.7';
  let outrun = 0;
  Object.assign(keys, {
    putProfile: async (profile: Parameters<typeof putProfile>[0]) => {
      const made = await putProfile(profile);
      if (outrun > 0) return made;
      outrun += 1;
      // The other process has read the same profile, and its command comes first.
      const named = { account: key.account, id: key.id, createdAt: key.createdAt };
      const other = await putProfile({ label: 'one', ipWhitelist });
      const update = { kind: 'updateApiKey', ...named, status: undefined, profile: other } as const;
      await perform({ ...update, before: key.profile }, 'reserve', () => undefined);
      return made;
    },
  });
  const changed = await alice.native.updateApiKey({ id, label: 'two' });
  expect(outrun).toBe(1);
  expect(changed).toMatchObject({ label: 'two', ip_whitelist: ipWhitelist });
  await expect(client.fapi.getBalanceV2()).rejects.toMatchObject({ code: 'IP_NOT_ALLOWED' });
});

test('AUTH-4 a secret that the deployment does not take is a refusal, and nothing was done', async () => {
  const { keys } = world.gateway.deployment;
  const { id } = await makeKey();
  const hash = world.stateHash();
  const put = () => Promise.reject(new SecretsNotTaken('PostgreSQL does not take it'));
  Object.assign(keys, { createKeyRecord: put, putProfile: put });
  const refused = { status: 429, code: 'TOO_MANY_REQUESTS' };
  await expect(alice.native.createApiKey({ label: 'two' })).rejects.toMatchObject(refused);
  await expect(alice.native.updateApiKey({ id, label: 'two' })).rejects.toMatchObject(refused);
  expect(world.stateHash()).toBe(hash);
});

test('OPS-1 the operator reads and resolves here what was requested elsewhere', async () => {
  elsewhere = () => alice.native.requestWithdrawal({ amount: '10' });
  expect(await operator().listPendingWithdrawals()).toHaveLength(1);
  let id = '';
  elsewhere = async () => {
    ({ id } = await alice.native.requestWithdrawal({ amount: '20' }));
  };
  const pending = (await operator().listPendingWithdrawals()) as readonly { id: string }[];
  expect(pending.map((each) => each.id)).toContain(id);
});

test('OPS-1 the operator can ask about this process when no process writes', async () => {
  Object.assign(world.replica, {
    whenCurrent: (_task: () => void, refuse: (reason: 'waiting') => void) => refuse('waiting'),
  });
  await expect(operator().listPendingWithdrawals()).rejects.toMatchObject({ status: 429 });
  expect(await operator().getInvariants()).toMatchObject({ ok: true });
  expect(await operator().getStateHash()).toMatchObject({ state_hash: expect.any(String) });
});
