// The page's copy of the account, its login and its requests.

import { expect, test, vi } from 'vitest';
import {
  type AccountNews,
  addFills,
  awaitOrder,
  createAccountCopy,
  type Fill,
  forgetAccount,
  type Order,
  type Trigger,
  takeAccount,
} from '../../src/page/state/account.ts';
import { createRequests } from '../../src/page/state/requests.ts';
import { createServerClock } from '../../src/page/state/serverClock.ts';
import { createSession, type Login } from '../../src/page/state/session.ts';
import { memoryStore } from '../../src/page/state/store.ts';

const place = { type: 'account', channel: 'account', seq: 1, prev_seq: 0, epoch: 'e' } as const;
const order = (id: string, status: string): Order =>
  ({ order_id: id, symbol: 'BTCUSDT', side: 'BUY', status, price: '1.0' }) as Order;
const trigger = (id: string, status: string, price = '9.0'): Trigger =>
  ({ algo_id: id, algo_status: status, trigger_price: price }) as Trigger;
const fill = (id: number, time: number): Fill => ({ id, time, symbol: 'BTCUSDT' }) as Fill;

const take = (copy: ReturnType<typeof createAccountCopy>, event: string, data: unknown) =>
  takeAccount(copy, { ...place, event, data } as unknown as Parameters<typeof takeAccount>[1]);

test('a snapshot replaces everything, events change it, ended orders and closed positions leave', () => {
  const copy = createAccountCopy();
  const snapshot = {
    ...place,
    snapshot: true,
    balances: [{ balance: '5' }],
    positions: [
      { symbol: 'BTCUSDT', position_amt: '0.100' },
      { symbol: 'ETHUSDT', position_amt: '0' },
    ],
    orders: [order('1', 'NEW')],
    triggers: [trigger('5', 'PENDING')],
  } as unknown as Parameters<typeof takeAccount>[1];
  expect(takeAccount(copy, snapshot)).toBeUndefined();
  expect(copy.isKnown.value).toBe(true);
  expect([...copy.positions.value.keys()]).toEqual(['BTCUSDT']);
  take(copy, 'order', order('2', 'PARTIALLY_FILLED'));
  expect([...copy.orders.value.keys()]).toEqual(['1', '2']);
  const ended: AccountNews | undefined = take(copy, 'order', order('1', 'CANCELED'));
  expect(ended).toEqual({ kind: 'orderEnded', order: order('1', 'CANCELED') });
  // An order that filled at once was never open here.
  expect(take(copy, 'order', order('3', 'FILLED'))).toBeUndefined();
  take(copy, 'position', { symbol: 'BTCUSDT', position_amt: '-0.050' });
  expect(copy.positions.value.get('BTCUSDT')?.position_amt).toBe('-0.050');
  take(copy, 'position', { symbol: 'BTCUSDT', position_amt: '0' });
  expect(copy.positions.value.size).toBe(0);
  expect([...copy.orders.value.keys()]).toEqual(['2']);
  takeAccount(copy, snapshot);
  expect([...copy.orders.value.keys()]).toEqual(['1']);
});

test('an open order is there with the answer or with the message about it, if that is sooner', async () => {
  const copy = createAccountCopy();
  const empty = { ...place, snapshot: true, balances: [], positions: [], orders: [], triggers: [] };
  const begin = (): void => {
    takeAccount(copy, empty as unknown as Parameters<typeof takeAccount>[1]);
  };
  begin();
  const shown = () => [...copy.orders.value.keys()];
  const answered = (id: string, status: string, meanwhile = () => {}, isAgain = false) =>
    awaitOrder(copy, async () => {
      meanwhile();
      return { answer: id, order: isAgain ? undefined : order(id, status) };
    });
  expect(await answered('1', 'NEW')).toBe('1');
  expect(shown()).toEqual(['1']);
  // The message says the same: nothing is drawn again.
  const { value: before } = copy.orders;
  take(copy, 'order', order('1', 'NEW'));
  expect(copy.orders.value).toBe(before);
  expect(take(copy, 'order', order('1', 'CANCELED'))).toMatchObject({ kind: 'orderEnded' });
  await answered('2', 'FILLED');
  expect(shown()).toEqual([]);
  // An answer never brings back what may have ended: after messages, a new copy, another login, a
  // result of an earlier request.
  await answered('3', 'NEW', () => {
    for (const status of ['NEW', 'CANCELED']) take(copy, 'order', order('3', status));
  });
  await answered('4', 'NEW', begin);
  await answered('5', 'NEW', () => forgetAccount(copy));
  await answered('6', 'NEW');
  begin();
  await answered('7', 'NEW', undefined, true);
  expect(shown()).toEqual([]);
  const refused = awaitOrder(copy, () => Promise.reject(new Error('refused')));
  await expect(refused).rejects.toThrow('refused');
  expect(copy.awaited.size).toBe(0);
});

test('triggers stay while they wait, and the mark moves figures of what is known', () => {
  const copy = createAccountCopy();
  for (const status of ['PENDING', 'NEW']) take(copy, 'trigger', trigger('5', status));
  take(copy, 'trigger', trigger('6', 'NEW'));
  for (const status of ['TRIGGERED', 'FINISHED']) take(copy, 'trigger', trigger('6', status));
  expect([...copy.triggers.value.values()]).toEqual([trigger('5', 'NEW')]);
  take(copy, 'position', { symbol: 'BTCUSDT', position_amt: '1', mark_price: '1' });
  take(copy, 'position', { symbol: 'ETHUSDT', position_amt: '1', mark_price: '1' });
  const moved = { symbol: 'ETHUSDT', position_amt: '1', mark_price: '2' };
  const stops = ['5', '6'].map((algo_id) => ({ algo_id, trigger_price: '8.0' }));
  take(copy, 'figures', { balance: { equity: '7' }, positions: [moved], triggers: stops });
  expect(copy.balance.value).toEqual({ equity: '7' });
  expect([...copy.positions.value.values()].map((each) => each.mark_price)).toEqual(['1', '2']);
  expect([...copy.triggers.value.values()]).toEqual([trigger('5', 'NEW', '8.0')]);
});

test('fills of history and of messages are one list without doubles, newest first', () => {
  const copy = createAccountCopy();
  take(copy, 'fill', fill(7, 30));
  addFills(copy, [fill(5, 10), fill(7, 30), fill(6, 30)]);
  take(copy, 'fill', fill(8, 40));
  expect(copy.fills.value.map(({ id }) => id)).toEqual([8, 7, 6, 5]);
});

const login: Login = {
  address: '0xabc',
  kind: 'guest',
  wallet: 'guest',
  token: 'a token',
  expiresAt: 2000,
};

test('a login is kept until it expires, and what another hand wrote there is no login', () => {
  let now = 1_000_000;
  const store = memoryStore();
  const options = { store, chainId: 1, clock: { now: () => now } };
  createSession(options).begin(login);
  expect(createSession(options).login.value).toEqual(login);
  expect(createSession({ ...options, chainId: 2 }).login.value).toBeUndefined();
  now = 2_000_001;
  expect(createSession(options).login.value).toBeUndefined();
  for (const kept of ['{', 'null', '[]', '{"token":5}', '"x"']) {
    store.setItem('evermark.session.1', kept);
    expect(createSession({ ...options, clock: { now: () => 0 } }).login.value).toBeUndefined();
  }
});

test('two tabs: a token that ends in one does not end the login that the other has begun', () => {
  const options = { store: memoryStore(), chainId: 1, clock: { now: () => 0 } };
  const [first, second] = [createSession(options), createSession(options)];
  first.begin(login);
  second.readAgain();
  const fresh = { ...login, token: 'another token' };
  first.begin(fresh);
  second.expire(login.token);
  expect([second.login.value, second.hasExpired.value]).toEqual([fresh, false]);
  expect(createSession(options).login.value).toEqual(fresh);
  second.expire(fresh.token);
  first.readAgain();
  expect([first.login.value, second.hasExpired.value]).toEqual([undefined, true]);
});

type Answer = { readonly status: number; readonly body: unknown } | 'broken';

function asking(answers: Answer[]) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const session = createSession({ store: memoryStore(), chainId: 1, clock: { now: () => 0 } });
  session.begin(login);
  const wait = vi.fn(async () => {});
  const requests = createRequests({
    baseUrl: 'http://x',
    session,
    clock: { now: () => 0 },
    wait,
    fetch: async (input, init) => {
      sent.push({ url: String(input), init: init ?? {} });
      const answer = answers.shift();
      if (answer === undefined || answer === 'broken') throw new TypeError('no answer');
      const headers = { 'content-type': 'application/json' };
      return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
    },
  });
  return { sent, session, wait, requests };
}

const refused = (status: number, code: string): Answer => ({
  status,
  body: { success: false, data: null, error: { code, message: 'no' }, timestamp: 0 },
});
const wish = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '1' } as const;

test('429: what only reads is asked again after a wait, an order is not', async () => {
  const reading = asking([refused(429, 'TOO_MANY_REQUESTS'), { status: 200, body: [] }]);
  expect(await reading.requests.listNativeMarkets()).toEqual([]);
  expect(reading.wait).toHaveBeenCalledTimes(1);
  const ordering = asking([refused(429, 'TOO_MANY_REQUESTS')]);
  const placed = ordering.requests.placeNativeOrder(wish, { idempotencyKey: 'k' });
  await expect(placed).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  expect(ordering.sent.length).toBe(1);
});

test('an order without an answer is sent once more under the same key, without a key never', async () => {
  const keyed = asking(['broken', { status: 200, body: { order_id: '1' } }]);
  await keyed.requests.placeNativeOrder(wish, { idempotencyKey: 'the key' });
  const keys = keyed.sent.map(
    ({ init }) => (init.headers as Record<string, string>)['idempotency-key'],
  );
  expect(keys).toEqual(['the key', 'the key']);
  const plain = asking(['broken', { status: 200, body: {} }]);
  await expect(plain.requests.placeNativeOrder(wish)).rejects.toThrow('no answer');
  expect(plain.sent.length).toBe(1);
});

test('a token that the exchange refuses ends the login, a refusal of a public request does not', async () => {
  const own = asking([refused(401, 'INVALID_TOKEN')]);
  await expect(own.requests.listPositions({})).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect([own.session.login.value, own.session.hasExpired.value]).toEqual([undefined, true]);
  // The login is good, but not fresh enough for a new key (AUTH-12).
  const stale = asking([refused(401, 'LOGIN_TOO_OLD')]);
  await expect(stale.requests.createApiKey({})).rejects.toMatchObject({ code: 'LOGIN_TOO_OLD' });
  expect(stale.session.login.value).toEqual(login);
  const other = asking([refused(401, 'SIGNATURE_INVALID')]);
  const nonce = other.requests.getLoginNonce({ address: '0x1' });
  await expect(nonce).rejects.toMatchObject({ status: 401 });
  expect(other.session.login.value).toEqual(login);
});

test('the exchange’s time is learnt from the quickest answer, and a clock that is wrong is corrected', () => {
  const now = 1_000_000;
  const clock = createServerClock({ now: () => now });
  clock.learn({ serverTime: 1_060_050, askedAt: 999_900, heardAt: 1_000_000 });
  expect(clock.offset()).toBe(60_100);
  clock.learn({ serverTime: 1_060_000, askedAt: 999_000, heardAt: 1_000_000 });
  expect(clock.offset()).toBe(60_100);
  clock.learn({ serverTime: 1_060_000, askedAt: 999_996, heardAt: 1_000_000 });
  expect(clock.now()).toBe(1_060_002);
});
