// Goal: what memory has forgotten history still knows, and where not even history answers nothing
// worse happens than that (ORD-2, ORD-12, ID-3; interface, -1000). Method: the views are emptied,
// or count as full; the database is there, and then it is not.

import { expect } from 'vitest';
import type { MarketId } from '../../src/units/units.ts';
import { eachDatabase } from '../fixtures/eachDatabase.ts';
import { type Body, type HistoryStage, onStage, symbol } from './historyStage.ts';

const nobodysOrder = '01900000-0000-7000-8000-000000200000';

const failed = { code: -1000, msg: 'Database failure.' };

type Ended = {
  readonly filled: Body;
  readonly cancelled: Body;
  readonly expired: Body;
  readonly algo: Body;
};

/** Orders of the taker's, ended in each way, that memory holds no more. */
async function endAndForget(stage: HistoryStage): Promise<Ended> {
  const { world, taker, place, ask, goTo, at, trade } = stage;
  const remove = (path: string, parameters: object) =>
    world.call(taker, 'DELETE', `/fapi/v1/${path}`, { symbol, ...parameters });
  await goTo(at(1));
  await trade('60000', '0.1');
  const [filled] = await ask(taker, 'allOrders');
  await place(taker, { newClientOrderId: 'twice' });
  await remove('order', { origClientOrderId: 'twice' });
  const { orderId } = await place(taker, { newClientOrderId: 'twice' });
  await remove('order', { orderId });
  const stop = { type: 'STOP_MARKET', price: '', stopPrice: '70000', newClientOrderId: 'stop' };
  await place(taker, stop);
  await remove('order', { origClientOrderId: 'stop' });
  const algo = { ...stop, algoType: 'CONDITIONAL', stopPrice: '60500', clientAlgoId: 'algo' };
  await place(taker, algo, 'algoOrder');
  await place(stage.maker, { side: 'SELL', price: '60510' });
  world.clock.advance(1000);
  await world.price(606_000);
  const shown = {
    filled,
    cancelled: await ask(taker, 'order', { orderId }),
    expired: await ask(taker, 'order', { origClientOrderId: 'stop' }),
    algo: await ask(taker, 'algoOrder', { clientAlgoId: 'algo' }),
  };
  stage.forgetEnded();
  return shown;
}

eachDatabase('ORD-2 ORD-12 HIST-3 either id finds an order that memory no longer has', (where) =>
  onStage(where, async (stage) => {
    const { taker, maker, ask, refused, world, place } = stage;
    const ended = await endAndForget(stage);
    for (const order of [ended.filled, ended.cancelled, ended.expired]) {
      const { orderId, clientOrderId } = order;
      expect(await ask(taker, 'order', { orderId })).toEqual(order);
      // Of two with one name the later.
      expect(await ask(taker, 'order', { origClientOrderId: clientOrderId })).toEqual(order);
      const id = { orderId };
      expect(await refused(maker, 'order', id)).toEqual([404, -2013]);
      expect(await refused(taker, 'order', { ...id, symbol: 'ETHUSDT' })).toEqual([404, -2013]);
      expect(await refused(taker, 'order', id, 'DELETE')).toEqual([400, -2011]);
      expect(await refused(maker, 'order', id, 'DELETE')).toEqual([404, -2013]);
    }
    const { orderId } = ended.cancelled;
    const change = { orderId, quantity: '0.02', price: '50000' };
    expect(await refused(taker, 'order', change, 'PUT')).toEqual([400, -2011]);
    const stopId = { ...change, orderId: ended.expired.orderId };
    expect(await refused(taker, 'order', stopId, 'PUT')).toEqual([404, -2013]);
    const never = { orderId: nobodysOrder };
    expect(await refused(taker, 'order', never)).toEqual([404, -2013]);
    expect(await refused(taker, 'order', never, 'DELETE')).toEqual([404, -2013]);
    // In a list each in its place, with one that is alive.
    const open = await place(taker);
    const orderIdList = JSON.stringify([orderId, open.orderId, nobodysOrder]);
    const list = { symbol, orderIdList };
    const { body } = await world.call(taker, 'DELETE', '/fapi/v1/batchOrders', list);
    expect(body).toMatchObject([{ code: -2011 }, { status: 'CANCELED' }, { code: -2013 }]);

    const { algoId } = ended.algo;
    expect(ended.algo).toMatchObject({ algoStatus: 'FINISHED', executedQty: '0.010' });
    expect(await ask(taker, 'algoOrder', { algoId })).toEqual(ended.algo);
    expect(await ask(taker, 'algoOrder', { clientAlgoId: 'algo' })).toEqual(ended.algo);
    expect(await refused(maker, 'algoOrder', { algoId })).toEqual([404, -2013]);
    expect(await refused(taker, 'algoOrder', { algoId }, 'DELETE')).toEqual([400, -2011]);
    const noAlgo = { algoId: nobodysOrder };
    expect(await refused(taker, 'algoOrder', noAlgo, 'DELETE')).toEqual([404, -2013]);
  }),
);

eachDatabase(
  'ID-3 HIST-3 a repeated request finds its order, even if memory no longer has it',
  (where) =>
    onStage(where, async (stage) => {
      const { world, taker, forgetEnded, goTo, at } = stage;
      await goTo(at(1));
      const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
      const stop = { ...order, algoType: 'CONDITIONAL', type: 'STOP', triggerPrice: '70000' };
      for (const [path, body] of [
        ['order', order],
        ['algoOrder', stop],
      ] as const) {
        const post = () =>
          world.call(taker, 'POST', `/fapi/v1/${path}`, body, { 'idempotency-key': path });
        const made = (await post()).body;
        const ids = { symbol, orderId: made.orderId, algoId: made.algoId };
        await world.call(taker, 'DELETE', `/fapi/v1/${path}`, ids);
        forgetEnded();
        const again = await post();
        expect(again.status, again.text).toBe(200);
        const status = again.body.status ?? again.body.algoStatus;
        expect(status).toBe('CANCELED');
        expect(again.body.orderId ?? again.body.algoId).toBe(made.orderId ?? made.algoId);
        world.history.setWorking(false);
        expect((await post()).body).toEqual(failed);
        world.history.setWorking(true);
      }
    }),
);

eachDatabase(
  'HIST-3 -1000 Database failure.: queries fail, trading continues, cancels count as unknown',
  (on) =>
    onStage(on, async (stage) => {
      const { world, taker, ask, place, refused } = stage;
      const { cancelled, algo } = await endAndForget(stage);
      world.history.setWorking(false);
      const { orderId } = cancelled;
      const asked: Readonly<Record<string, object>> = {
        order: { orderId },
        algoOrder: { algoId: algo.algoId },
        allOrders: {},
        orderAmendment: { orderId },
        userTrades: {},
        'userTrades/slippage': {},
        income: {},
        fundingFeeHistory: {},
        allAlgoOrders: {},
      };
      for (const [path, parameters] of Object.entries(asked)) {
        const query = { symbol, ...parameters };
        const { status, body } = await world.call(taker, 'GET', `/fapi/v1/${path}`, query);
        expect([status, body], path).toEqual([500, failed]);
      }
      expect(await refused(taker, 'order', { orderId }, 'DELETE')).toEqual([404, -2013]);
      const { algoId } = algo;
      expect(await refused(taker, 'algoOrder', { algoId }, 'DELETE')).toEqual([404, -2013]);
      const change = { orderId, quantity: '0.02', price: '50000' };
      expect(await refused(taker, 'order', change, 'PUT')).toEqual([404, -2013]);
      // Memory answers for the rows that it has, and orders still work.
      const open = await place(taker);
      expect(await ask(taker, 'order', { orderId: open.orderId })).toEqual(open);
      expect(await ask(taker, 'openOrders')).toEqual([open]);
      const gone = await world.call(taker, 'DELETE', '/fapi/v1/order', {
        symbol,
        orderId: open.orderId,
      });
      expect(gone.body).toMatchObject({ status: 'CANCELED' });
      expect(await ask(taker, 'forceOrders')).toEqual([]);
      world.history.setWorking(true);
      const orders: Body[] = await ask(taker, 'allOrders');
      expect(orders.map(({ orderId: id }) => id)).toContain(open.orderId);
    }),
);

eachDatabase('NAT-2d FUND-3 HIST-3 public lists go back further than memory', (where) =>
  onStage(where, async (stage) => {
    const { world, at, goTo, trade, get, fillViews } = stage;
    for (let minute = 1; minute <= 6; minute += 1) {
      await goTo(at(minute));
      await trade(`${60_000 + minute}`, '0.01', minute % 2 === 0 ? -1 : 1);
      await world.command({ kind: 'settleFunding', market: 0 as MarketId });
    }
    const key = { 'x-mbx-apikey': stage.taker.apiKey };
    const read = async (path: string, query: object): Promise<Body> => {
      const text = new URLSearchParams({ symbol, ...query } as Record<string, string>).toString();
      const reply = await world.send('GET', `/fapi/v1/${path}`, { query: text, headers: key });
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const questions: readonly [string, object][] = [
      ['historicalTrades', { fromId: '0' }],
      ['historicalTrades', { fromId: '0', limit: '2' }],
      ['aggTrades', { fromId: '0', limit: '4' }],
      ['aggTrades', { startTime: `${at(1)}`, endTime: `${at(3)}` }],
      ['aggTrades', { startTime: `${at(0)}`, limit: '2' }],
      ['aggTrades', { endTime: `${at(4)}`, limit: '2' }],
      ['aggTrades', { limit: '500' }],
      ['klines', { interval: '1m' }],
      ['klines', { interval: '3m', limit: '2' }],
      ['klines', { interval: '1m', startTime: `${at(0)}`, limit: '2' }],
      ['klines', { interval: '2h' }],
      ['markPriceKlines', { interval: '1m', limit: '4' }],
      ['premiumIndexKlines', { interval: '1m', startTime: '0', limit: '3' }],
      ['fundingRate', {}],
      ['fundingRate', { symbol: '', startTime: `${at(2)}`, limit: '3' }],
      ['fundingRate', { endTime: `${at(3)}`, limit: '2' }],
    ];
    const answers: Body[] = [];
    for (const [path, query] of questions) answers.push(await read(path, query));
    expect(answers.map(({ length }) => length)).toEqual([
      ...[6, 2, 4, 3, 2, 2, 6],
      ...[6, 2, 2, 1, 4, 3],
      ...[6, 3, 2],
    ]);
    expect([...world.history.answered.keys()]).toEqual([]);
    fillViews();
    for (const [index, [path, query]] of questions.entries()) {
      expect(await read(path, query), path).toEqual(answers[index]);
    }
    const reported = ['trades', 'aggregates', 'candles', 'fundingRates'];
    expect([...world.history.answered.keys()]).toEqual(reported);
    // The last come out of memory all the same.
    expect(await read('trades', { limit: '2' })).toHaveLength(2);
    expect([...world.history.answered.keys()]).toEqual(reported);
    world.history.setWorking(false);
    expect((await get('/fapi/v1/fundingRate', { symbol })).body).toEqual(failed);
    expect((await get('/fapi/v1/aggTrades', { symbol, fromId: 1 })).body).toEqual(failed);
    expect((await get('/fapi/v1/aggTrades', { symbol, limit: 2 })).status).toBe(200);
  }),
);
