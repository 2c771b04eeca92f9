// The triggers and the moving figures of the channel `account` (WS-2): that a client with its
// messages alone knows what waits, why it waits and how it ended, and what the mark does to it.

import { beforeEach, expect, test } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import { takeFigureTurns } from '../../src/streams/figureTurns.ts';
import type { AccountId, MarketId, Money, Rate, Ticks } from '../../src/units/units.ts';
import { order, prices, stop } from './streamOrders.ts';
import { type FakeReader, openStreamWorld, type Said, type StreamWorld } from './streamWorld.ts';

let world: StreamWorld;
let reader: FakeReader;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
  reader = world.connect();
});

/** The snapshot of the account. */
async function listen(account: number, of: FakeReader = reader): Promise<Said> {
  of.say({ type: 'auth', token: `${account}` });
  await Promise.resolve();
  await Promise.resolve();
  of.say({ type: 'subscribe', channel: 'account' });
  return of.take().at(-1);
}

const triggersIn = (reported: readonly Said[]): Said[] =>
  reported.filter(({ event }) => event === 'trigger').map(({ data }) => data);
const figuresIn = (reported: readonly Said[]): Said[] =>
  reported.filter(({ event }) => event === 'figures');

const cancel = (id: string): Command => ({
  kind: 'cancelTrigger',
  account: 2 as AccountId,
  market: undefined,
  order: { clientOrderId: id },
});

test('WS-2 account: triggers are in the snapshot, and each change of one is a row', async () => {
  world.run(stop([2, -1, 10, 45_000], { clientOrderId: 'before' }));
  const snapshot = await listen(2);
  expect(snapshot.triggers).toMatchObject([
    { client_algo_id: 'before', algo_status: 'NEW', trigger_price: '4500.0' },
  ]);
  world.run(stop([2, 1, 10, 55_000], { clientOrderId: 'later' }));
  const [placed, ...others] = reader.take();
  expect(others).toEqual([]);
  expect(placed).toMatchObject({ event: 'trigger', prev_seq: snapshot.seq });
  expect(placed.data).toMatchObject({ client_algo_id: 'later', algo_status: 'NEW' });
  world.run({
    kind: 'modifyTrigger',
    account: 2 as AccountId,
    market: 0 as MarketId,
    order: { clientOrderId: 'later' },
    stopTicks: 56_000 as Ticks,
    lots: undefined,
    ticks: undefined,
    callbackRate: undefined,
  });
  const changed = { algo_id: placed.data.algo_id, algo_status: 'NEW', trigger_price: '5600.0' };
  expect(triggersIn(reader.take())).toMatchObject([changed]);
  world.run(cancel('later'));
  expect(triggersIn(reader.take())).toMatchObject([{ ...changed, algo_status: 'CANCELED' }]);
  reader.say({ type: 'subscribe', channel: 'account' });
  expect(reader.take().at(-1).triggers).toMatchObject([{ client_algo_id: 'before' }]);
});

test('WS-2 account: a trigger that fires comes once for its step, behind its order', async () => {
  world.run(order([4, -1, 100, 52_000]), stop([2, 1, 10, 51_000]), stop([2, 1, 10, 51_000]));
  const limit = { type: 'STOP', ticks: 50_500 as Ticks } as const;
  world.run(stop([2, 1, 20, 51_000], limit));
  await listen(2);
  world.run(prices(world, 1.02));
  const reported = reader.take();
  expect(reported.map(({ event }) => event).slice(0, 8)).toEqual([
    ...['fill', 'fill', 'order', 'order', 'order'],
    ...['trigger', 'trigger', 'trigger'],
  ]);
  const [market, , resting] = triggersIn(reported);
  expect(market).toMatchObject({
    algo_status: 'FINISHED',
    actual_order_id: reported[0].data.order_id,
    actual_qty: '0.010',
    actual_price: '5200',
  });
  expect(resting).toMatchObject({ algo_status: 'TRIGGERED', actual_qty: '0.000' });
  world.run(order([4, -1, 20, 50_500]));
  const [ended] = triggersIn(reader.take());
  expect(ended).toMatchObject({ algo_id: resting.algo_id, algo_status: 'FINISHED' });
  expect(ended).toMatchObject({ actual_qty: '0.020', actual_price: '5050' });
});

test('WS-2 TRG-8 account: each try of a trigger that fills nothing is a row with its reason', async () => {
  const account = world.state.exchange.accounts.length;
  const address = `0x${'7'.repeat(40)}`;
  const amount = 30_000_000 as Money;
  world.run({ kind: 'credit', address, amount, reference: 'for a try' });
  const leverage = { account: account as AccountId, market: 0 as MarketId, leverage: 50 };
  world.run({ kind: 'setLeverage', ...leverage });
  world.run(order([2, -1, 200, 50_000]), order([account, 1, 200, 50_000]));
  // The sale would lose 40 of 24.
  world.run(order([1, 1, 200, 47_750]));
  world.run(stop([account, -1, 200, 49_900], { reduceOnly: true }));
  await listen(account);
  const waiting = { algo_status: 'NEW', failure: { msg: 'Margin is insufficient.' } };
  world.run(prices(world, 0.995));
  expect(triggersIn(reader.take())).toMatchObject([waiting]);
  world.clock.advance(1000);
  world.run(prices(world, 0.995));
  expect(triggersIn(reader.take())).toMatchObject([waiting]);
  world.run(order([2, 1, 200, 49_700]));
  world.clock.advance(1000);
  world.run(prices(world, 0.995));
  const [filled] = triggersIn(reader.take());
  expect(filled).toMatchObject({ algo_status: 'FINISHED', actual_qty: '0.200' });
  expect(filled).not.toHaveProperty('failure');
});

test('WS-2 ATT-3 account: legs are pending, wait with what their parent has filled, and end', async () => {
  const attached = {
    takeProfit: { stopTicks: 55_000 as Ticks, ticks: 0 as Ticks },
    stopLoss: { stopTicks: 45_000 as Ticks, ticks: 0 as Ticks },
  };
  world.run({ ...order([2, 1, 100, 49_000], { clientOrderId: 'parent' }), attached });
  const { triggers, orders } = await listen(2);
  const [{ order_id: parent_id, take_profit_id, stop_loss_id }] = orders;
  expect(triggers).toMatchObject([
    { algo_id: take_profit_id, algo_status: 'PENDING', quantity: '0.000', parent_id },
    { algo_id: stop_loss_id, algo_status: 'PENDING', quantity: '0.000', parent_id },
  ]);
  world.run(order([4, -1, 40, 49_000]));
  expect(triggersIn(reader.take())).toMatchObject([
    { algo_id: take_profit_id, algo_status: 'NEW', quantity: '0.040' },
    { algo_id: stop_loss_id, algo_status: 'NEW', quantity: '0.040' },
  ]);
  // The position is closed in another way, and the parent still rests.
  world.run(order([4, 1, 40, 50_000]), order([2, -1, 40, 50_000]));
  expect(triggersIn(reader.take())).toMatchObject([
    { algo_id: take_profit_id, algo_status: 'PENDING' },
    { algo_id: stop_loss_id, algo_status: 'PENDING' },
  ]);
  const ended = { clientOrderId: 'parent' };
  world.run({ kind: 'cancelOrder', account: 2 as AccountId, market: undefined, order: ended });
  expect(triggersIn(reader.take())).toMatchObject([
    { algo_id: take_profit_id, algo_status: 'EXPIRED' },
    { algo_id: stop_loss_id, algo_status: 'EXPIRED' },
  ]);
});

test('WS-2 account: what the mark alone moves comes at most once a second and has no number', async () => {
  world.run(order([2, 1, 100, 50_000]), order([4, -1, 100, 50_000]));
  const snapshot = await listen(2);
  const idle = world.connect();
  await listen(6, idle);
  world.pass(1000);
  expect(reader.take()).toEqual([]);
  world.run(prices(world, 1.01));
  world.run(prices(world, 0.99));
  world.pass(997);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  const [moved, ...others] = reader.take();
  expect(others).toEqual([]);
  expect(moved).toMatchObject({ type: 'account', channel: 'account', event: 'figures' });
  expect(moved).not.toHaveProperty('seq');
  const { balance, positions, triggers } = moved.data;
  expect(triggers).toEqual([]);
  const [{ mark_price, un_realized_profit, margin_ratio }] = positions;
  expect(Number(mark_price)).toBeLessThan(Number(snapshot.positions[0].mark_price));
  expect(Number(un_realized_profit)).toBeLessThan(0);
  expect(balance.cross_un_pnl).toBe(un_realized_profit);
  expect([balance.margin_ratio, balance.maint_margin]).toEqual([
    margin_ratio,
    positions[0].maint_margin,
  ]);
  // Nothing of an account without positions moves.
  expect(idle.take()).toEqual([]);
  // The numbers go on as if it had not been sent.
  world.run(order([2, 1, 10, 49_000]));
  expect(reader.take()[0]).toMatchObject({ event: 'order', prev_seq: snapshot.seq });
});

test('WS-2 account: what moved while a reader was away comes with the next figures', async () => {
  const trailing = { type: 'TRAILING_STOP_MARKET', callbackRate: 1_000_000 as Rate } as const;
  world.run(
    order([2, 1, 100, 50_000]),
    order([4, -1, 100, 50_000]),
    stop([2, -1, 10, 0], trailing),
  );
  const { seq, epoch, triggers } = await listen(2);
  // Another reader stays, and hears of it.
  world.run(prices(world, 1.01));
  world.pass(1000);
  const [{ data: moved }] = figuresIn(reader.take());
  expect(moved.triggers[0].trigger_price).not.toBe(triggers[0].trigger_price);
  const back = world.connect();
  back.say({ type: 'auth', token: '2' });
  await Promise.resolve();
  await Promise.resolve();
  back.say({ type: 'resume', channel: 'account', epoch, seq });
  world.pass(1000);
  expect(figuresIn(back.take()).map(({ data }) => data)).toEqual([moved]);
  // The same with a snapshot that is older than the last figures (WS-2a).
  const late = world.connect();
  late.say({ type: 'auth', token: '2' });
  await Promise.resolve();
  await Promise.resolve();
  for (let i = 0; i < 6; i += 1) late.say({ type: 'subscribe', channel: 'account' });
  expect(figuresIn(late.take())).toEqual([]);
  world.pass(1000);
  expect(figuresIn(late.take()).map(({ data }) => data)).toEqual([moved]);
  world.pass(1000);
  expect(figuresIn(late.take())).toEqual([]);
});

test('WS-2 account: a resumed channel keeps no old figures, and a new reader gets those of its snapshot', async () => {
  world.run(order([2, 1, 100, 50_000]), order([4, -1, 100, 50_000]));
  const { seq, epoch } = await listen(2);
  world.run(prices(world, 1.01));
  world.pass(1000);
  expect(figuresIn(reader.take())).toHaveLength(1);
  world.run(order([2, 1, 10, 49_000]));
  const back = world.connect();
  back.say({ type: 'auth', token: '2' });
  await Promise.resolve();
  await Promise.resolve();
  back.say({ type: 'resume', channel: 'account', epoch, seq });
  expect(back.take().map(({ event, type }) => event ?? type)).toEqual([
    'authenticated',
    'order',
    'balance',
  ]);
  // A message that was made before a snapshot does not come behind it.
  world.apply(prices(world, 0.99));
  world.pass(1000);
  const last = world.connect();
  await listen(2, last);
  world.log.sync();
  expect(last.take().map(({ event, type }) => event ?? type)).toEqual(['account']);
  expect(figuresIn(back.take())).toHaveLength(1);
});

test('WS-2 TRG-4 account: the stop of a trailing trigger moves with the mark', async () => {
  const trailing = { type: 'TRAILING_STOP_MARKET', callbackRate: 1_000_000 as Rate } as const;
  world.run(stop([2, -1, 10, 0], trailing));
  const { triggers } = await listen(2);
  const [{ algo_id, trigger_price }] = triggers;
  world.run(prices(world, 1.01));
  world.pass(1000);
  const [{ data }] = figuresIn(reader.take());
  expect(data).toMatchObject({ positions: [], triggers: [{ algo_id }] });
  expect(Number(data.triggers[0].trigger_price)).toBeGreaterThan(Number(trigger_price));
});

test('WS-2 account: a turn looks at a bounded number of accounts, each in its turn', () => {
  const seen: number[] = [];
  const turns = new Set(
    [0, 1, 2, 3, 4].map((name) => ({
      dueAt: 1000,
      run: () => {
        seen.push(name);
        return 10;
      },
    })),
  );
  const bounds = { figuresMs: 1000, figureRowsPerTurn: 20 };
  const at = (now: number): number[] => {
    takeFigureTurns(turns, now, bounds);
    return seen.splice(0);
  };
  expect(at(999)).toEqual([]);
  expect(at(1000)).toEqual([0, 1]);
  expect(at(1025)).toEqual([2, 3]);
  expect(at(1050)).toEqual([4]);
  expect(at(1999)).toEqual([]);
  expect(at(2030)).toEqual([0, 1]);
  // The clock is set back by an hour.
  expect(at(2000 - 3_600_000)).toEqual([2, 3]);
  expect(at(2025 - 3_600_000)).toEqual([4, 0]);
});
