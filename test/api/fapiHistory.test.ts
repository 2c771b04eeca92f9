// What FAPI shows of an account's past (conventions, 10; ORD-12), on both databases: whole records,
// windows, cursors, and refusals.

import { expect } from 'vitest';
import { orderReferenceOf } from '../../src/api/readParameters.ts';
import type { Lots, MarketId, Ticks } from '../../src/units/units.ts';
import { eachDatabase } from '../fixtures/eachDatabase.ts';
import { type Body, day, type HistoryStage, onStage, symbol } from './historyStage.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const nobodysOrder = '01900000-0000-7000-8000-000000200000';

/** The taker buys 0.1 at 60000, and sells 0.04 of it at 60060, a minute later. */
async function buyAndSell({ goTo, at, trade }: HistoryStage): Promise<void> {
  await goTo(at(1));
  await trade('60000', '0.1');
  await goTo(at(2));
  await trade('60060', '0.04', -1);
}

eachDatabase('ORD-12 userTrades: whole records, ascending, by order, number and time', (where) =>
  onStage(where, async (stage) => {
    const { taker, maker, at, ask, refused } = stage;
    await buyAndSell(stage);
    const trades: Body[] = await ask(taker, 'userTrades');
    const common = {
      symbol,
      positionSide: 'BOTH',
      commissionAsset: 'USDT',
      marginAsset: 'USDT',
      orderId: uuid,
    };
    expect(trades).toEqual([
      {
        ...common,
        id: 1,
        side: 'BUY',
        price: '60000.0',
        qty: '0.100',
        quoteQty: '6000',
        realizedPnl: '0',
        commission: '3',
        buyer: true,
        maker: false,
        time: at(1),
      },
      {
        ...common,
        id: 2,
        side: 'SELL',
        price: '60060.0',
        qty: '0.040',
        quoteQty: '2402.4',
        realizedPnl: '2.4',
        commission: '1.2012',
        buyer: false,
        maker: false,
        time: at(2),
      },
    ]);
    const [first, second] = trades;
    expect(await ask(maker, 'userTrades')).toMatchObject([
      { id: 1, side: 'SELL', maker: true, commission: '1.2' },
      { id: 2, side: 'BUY', maker: true, realizedPnl: '-2.4' },
    ]);
    expect(await ask(taker, 'userTrades', { orderId: second.orderId })).toEqual([second]);
    const foreign = { orderId: second.orderId };
    expect(await refused(maker, 'userTrades', foreign)).toEqual([404, -2013]);
    expect(await ask(taker, 'userTrades', { ...foreign, startTime: at(3) })).toEqual([]);
    expect(await ask(taker, 'userTrades', { fromId: 2 })).toEqual([second]);
    expect(await ask(taker, 'userTrades', { fromId: 1, limit: 1 })).toEqual([first]);
    expect(await ask(taker, 'userTrades', { fromId: 3 })).toEqual([]);
    expect(await ask(taker, 'userTrades', { limit: 1 })).toEqual([second]);
    expect(await ask(taker, 'userTrades', { startTime: at(1), limit: 1 })).toEqual([first]);
    expect(await ask(taker, 'userTrades', { startTime: at(1) + 1 })).toEqual([second]);
    expect(await ask(taker, 'userTrades', { endTime: at(1) })).toEqual([first]);
    expect(await ask(taker, 'userTrades', { symbol: 'ETHUSDT' })).toEqual([]);
    expect(await refused(taker, 'userTrades', { fromId: 1, startTime: 0 })).toEqual([400, -1106]);
    expect(await refused(taker, 'userTrades', { fromId: 1, endTime: 9 })).toEqual([400, -1106]);
    expect(await refused(taker, 'userTrades', { orderId: '17' })).toEqual([400, -1100]);
    expect(await refused(taker, 'userTrades', { symbol: '' })).toEqual([400, -1102]);
    expect(await refused(taker, 'userTrades', { symbol: 'XUSDT' })).toEqual([400, -1121]);
  }),
);

eachDatabase(
  'ORD-4 ORD-12 userTrades: a page never separates the two rows of a self-trade',
  (where) =>
    onStage(where, async ({ taker, place, ask, goTo, at }) => {
      await goTo(at(1));
      for (let i = 0; i < 2; i += 1) {
        const price = '60000';
        await place(taker, { side: 'SELL', price });
        await place(taker, { side: 'BUY', price, selfTradePreventionMode: 'NONE' });
      }
      const sides = (trades: Body[]) => trades.map(({ id, maker }) => [id, maker]);
      const [one, two] = [
        [
          [1, false],
          [1, true],
        ],
        [
          [2, false],
          [2, true],
        ],
      ];
      expect(sides(await ask(taker, 'userTrades'))).toEqual([...one!, ...two!]);
      for (const limit of [1, 2]) {
        expect(sides(await ask(taker, 'userTrades', { fromId: 1, limit }))).toEqual(one);
        expect(sides(await ask(taker, 'userTrades', { limit }))).toEqual(two);
      }
      expect(sides(await ask(taker, 'userTrades', { fromId: 1, limit: 3 }))).toHaveLength(4);
    }),
);

eachDatabase('ORD-4 ORD-12a income: every row of a self-trade has its own tranId', (where) =>
  onStage(where, async ({ taker, maker, place, ask, goTo, at }) => {
    await goTo(at(1));
    const price = '60000';
    // The short makes the second trade close something too: both types of row, twice.
    await place(maker, { side: 'BUY', price: '60060' });
    await place(taker, { side: 'SELL', price: '60060' });
    await place(taker, { side: 'SELL', price });
    await place(taker, { side: 'BUY', price, selfTradePreventionMode: 'NONE' });
    const income: Body[] = await ask(taker, 'income');
    const types = income.map(({ incomeType }) => incomeType);
    const [one, pnl] = ['COMMISSION', 'REALIZED_PNL'];
    expect(types).toEqual([one, pnl, one, one]);
    const keys = income.map(({ incomeType, tranId }) => `${incomeType} ${tranId}`);
    expect(new Set(keys).size).toBe(keys.length);
    // One row a page: none knows its neighbour.
    for (const [index, row] of income.entries()) {
      const page = { startTime: 0, limit: 1, page: index + 1 };
      expect(await ask(taker, 'income', page)).toEqual([row]);
    }
    for (const { tranId } of income) expect(tranId).toEqual(uuid);
  }),
);

eachDatabase(
  'ORD-12a userTrades/slippage: against the mark at the order, worse is positive',
  (where) =>
    onStage(where, async (stage) => {
      const { taker, maker, at, ask, refused } = stage;
      await buyAndSell(stage);
      const [, row] = await ask(taker, 'userTrades/slippage', { symbol: '' });
      expect(row).toEqual({
        symbol,
        tradeId: '2',
        orderId: uuid,
        side: 'SELL',
        orderType: 'LIMIT',
        expectedPrice: '60000.0',
        executedPrice: '60060.0',
        qty: '0.040',
        slippageAbs: '-60.0',
        slippageBps: '-10.0000',
        maker: false,
        time: at(2),
      });
      expect(await ask(maker, 'userTrades/slippage')).toMatchObject([
        { slippageAbs: '0.0', slippageBps: '0.0000', maker: true },
        { side: 'BUY', slippageAbs: '60.0', slippageBps: '10.0000' },
      ]);
      expect(await ask(taker, 'userTrades/slippage', { startTime: at(2) })).toEqual([row]);
      expect(await ask(taker, 'userTrades/slippage', { limit: 1 })).toEqual([row]);
      expect(await ask(taker, 'userTrades/slippage', { limit: 100_000 })).toHaveLength(2);
      expect(await refused(taker, 'userTrades/slippage', { limit: 0 })).toEqual([400, -1102]);
    }),
);

eachDatabase('ORD-12a BAL-3 FUND-4 income and fundingFeeHistory', (where) =>
  onStage(where, async (stage) => {
    const { world, taker, maker, at, ask, refused, goTo } = stage;
    // The house counts in no open interest: the others are all long, and pay the highest rate.
    const { address } = maker;
    await world.command({ kind: 'flagAccount', address, house: true, feeTier: undefined });
    await buyAndSell(stage);
    await goTo(at(3));
    await world.command({ kind: 'settleFunding', market: 0 as MarketId });
    const [fee] = await ask(taker, 'fundingFeeHistory', { symbol: '' });
    expect(fee).toEqual({
      symbol,
      // 1 % for two minutes of eight hours.
      fundingRate: '0.00004167',
      // 0.1 for half of the time, 0.06 for the other half (FUND-1c).
      positionSize: '0.080',
      // 0.08 × 60000 × 0.01 × 120 / 28800.
      fundingFee: '-0.2',
      positionSide: 'LONG',
      asset: 'USDT',
      time: at(3),
      tranId: uuid,
    });
    expect(await ask(maker, 'fundingFeeHistory')).toMatchObject([
      { fundingFee: '0.2', positionSide: 'SHORT', positionSize: '0.080' },
    ]);
    expect(await refused(taker, 'fundingFeeHistory', { limit: 0 })).toEqual([400, -1102]);
    expect(await ask(taker, 'fundingFeeHistory', { endTime: at(2) })).toEqual([]);

    const income: Body[] = await ask(taker, 'income', { symbol: '' });
    const short = income.map((row) => [row.incomeType, row.income, row.tradeId, row.time]);
    expect(short).toEqual([
      ['COMMISSION', '-3', '1', at(1)],
      ['REALIZED_PNL', '2.4', '2', at(2)],
      ['COMMISSION', '-1.2012', '2', at(2)],
      ['FUNDING_FEE', '-0.2', '', at(3)],
    ]);
    expect(income[3]).toEqual({
      symbol,
      incomeType: 'FUNDING_FEE',
      income: '-0.2',
      asset: 'USDT',
      info: 'FUNDING_FEE',
      time: at(3),
      tranId: fee.tranId,
      tradeId: '',
    });
    const fees = [income[0], income[2]];
    expect(await ask(taker, 'income', { incomeType: 'COMMISSION' })).toEqual(fees);
    expect(await ask(taker, 'income', { incomeType: 'TRANSFER' })).toEqual([]);
    expect(await ask(taker, 'income', { symbol: 'ETHUSDT' })).toEqual([]);
    // Pages count from the end, or from startTime.
    expect(await ask(taker, 'income', { limit: 3 })).toEqual(income.slice(1));
    expect(await ask(taker, 'income', { limit: 3, page: 2 })).toEqual(income.slice(0, 1));
    const first = { startTime: 0, limit: 3 };
    expect(await ask(taker, 'income', first)).toEqual(income.slice(0, 3));
    expect(await ask(taker, 'income', { ...first, page: 2 })).toEqual(income.slice(3));
    expect(await ask(taker, 'income', { ...first, page: 3 })).toEqual([]);
    for (const bad of [{ page: 0 }, { page: 'x' }, { limit: 0 }, { limit: -1 }]) {
      expect(await refused(taker, 'income', bad)).toEqual([400, -1102]);
    }
    // The rows before a page are read to find it.
    expect(await ask(taker, 'income', { limit: 1000, page: 10 })).toEqual([]);
    for (const deep of [{ limit: 1000, page: 11 }, { page: 101 }, { limit: 1, page: 10_001 }]) {
      expect(await refused(taker, 'income', deep)).toEqual([400, -1100]);
    }
    expect(await refused(taker, 'income', { symbol: 'XUSDT' })).toEqual([400, -1121]);
  }),
);

eachDatabase('ORD-12a TRG-2 allOrders: every state, triggers of the order route, ids', (where) =>
  onStage(where, async (stage) => {
    const { world, taker, ask, refused, place, goTo, at } = stage;
    await goTo(at(1));
    const stop = { type: 'STOP_MARKET', price: '', side: 'BUY' };
    const cancelled = await place(taker, { newClientOrderId: 'gone' });
    await world.call(taker, 'DELETE', '/fapi/v1/order', { symbol, origClientOrderId: 'gone' });
    const ofOrderRoute = await place(taker, { ...stop, stopPrice: '60500' });
    const algo = { ...stop, algoType: 'CONDITIONAL', clientAlgoId: 'algo' };
    await place(taker, { ...algo, triggerPrice: '60500' }, 'algoOrder');
    const waiting = await place(taker, { ...stop, stopPrice: '70000' });
    await place(stage.maker, { side: 'SELL', price: '60510', quantity: '1' });
    const open = await place(taker, {});
    world.clock.advance(1000);
    await world.price(606_000);
    const orders: Body[] = await ask(taker, 'allOrders');
    expect(orders.map(({ status, type, origType }) => [status, type, origType])).toEqual([
      ['CANCELED', 'LIMIT', 'LIMIT'],
      ['FILLED', 'MARKET', 'STOP_MARKET'],
      ['NEW', 'STOP_MARKET', 'STOP_MARKET'],
      ['NEW', 'LIMIT', 'LIMIT'],
      ['FILLED', 'MARKET', 'STOP_MARKET'],
    ]);
    expect(orders.slice(0, 4).map(({ orderId }) => orderId)).toEqual(
      [cancelled, ofOrderRoute, waiting, open].map(({ orderId }) => orderId),
    );
    expect(orders[1]).toMatchObject({
      stopPrice: '60500.0',
      avgPrice: '60510',
      closePosition: false,
    });
    // Each is what GET order shows.
    for (const order of orders) {
      expect(await ask(taker, 'order', { orderId: order.orderId })).toEqual(order);
    }
    const from = { orderId: waiting.orderId };
    expect(await ask(taker, 'allOrders', from)).toEqual(orders.slice(2));
    expect(await ask(taker, 'allOrders', { ...from, limit: 2 })).toEqual(orders.slice(2, 4));
    expect(await ask(taker, 'allOrders', { limit: 2 })).toEqual(orders.slice(3));
    expect(await ask(taker, 'allOrders', { startTime: 0, limit: 2 })).toEqual(orders.slice(0, 2));
    expect(await ask(taker, 'allOrders', { symbol: 'ETHUSDT' })).toEqual([]);
    expect(await ask(stage.maker, 'allOrders')).toHaveLength(1);
    expect(await refused(taker, 'allOrders', { orderId: 'no' })).toEqual([400, -1100]);
    expect(await refused(taker, 'allOrders', { limit: 0 })).toEqual([400, -1102]);
    expect(await refused(taker, 'allOrders', { startTime: 'x' })).toEqual([400, -1102]);
    expect(await refused(taker, 'allOrders', { symbol: '' })).toEqual([400, -1102]);
    // The trigger of the algo route, and its order.
    const [fired] = (await ask(taker, 'allAlgoOrders')).filter(
      ({ clientAlgoId }: Body) => clientAlgoId === 'algo',
    );
    const { avgPrice, executedQty, cumQuote, orderId } = orders[4];
    expect(fired).toMatchObject({
      algoStatus: 'FINISHED',
      actualOrderId: orderId,
      actualPrice: avgPrice,
      actualQty: executedQty,
      actualType: 'MARKET',
      ...{ avgPrice, executedQty, cumQuote, origQty: '0.010' },
    });
  }),
);

eachDatabase('TRG-9 ORD-12 allAlgoOrders: the last terms of a changed trigger', (where) =>
  onStage(where, async ({ taker, ask, place, world }) => {
    const stop = { side: 'BUY', type: 'STOP', quantity: '0.2', algoType: 'CONDITIONAL' };
    const prices = { triggerPrice: '61000', price: '61100' };
    const { algoId } = await place(taker, { ...stop, ...prices }, 'algoOrder');
    expect(await ask(taker, 'allAlgoOrders')).toMatchObject([{ algoId, price: '61100.0' }]);
    await world.command({
      kind: 'modifyTrigger',
      account: taker.account,
      market: 0 as MarketId,
      order: orderReferenceOf(algoId),
      lots: 300 as Lots,
      ticks: 615_000 as Ticks,
      stopTicks: 612_000 as Ticks,
      callbackRate: undefined,
    });
    expect(await ask(taker, 'allAlgoOrders')).toMatchObject([
      { algoId, price: '61500.0', triggerPrice: '61200.0', quantity: '0.300', algoStatus: 'NEW' },
    ]);
  }),
);

eachDatabase('TRG-8 ORD-12 allAlgoOrders: the last try of a stop that filled nothing', (where) =>
  onStage(where, async ({ maker, ask, place, world }) => {
    const small = await world.newTrader(300);
    await world.call(small, 'POST', '/fapi/v1/leverage', { symbol, leverage: 50 });
    await place(maker, { side: 'SELL', quantity: '0.2', price: '60000' });
    await place(small, { quantity: '0.2', price: '60000' });
    // The sale would lose 480 of 234.
    await place(maker, { quantity: '0.2', price: '57300' });
    const sell = { side: 'SELL', type: 'STOP_MARKET', quantity: '0.2', reduceOnly: true };
    const stop = { ...sell, price: undefined, triggerPrice: '59800', algoType: 'CONDITIONAL' };
    const { algoId } = await place(small, stop, 'algoOrder');
    for (let i = 0; i < 3; i += 1) {
      await world.price(597_000);
      const shown = {
        algoId,
        algoStatus: 'NEW',
        updateTime: world.clock.now(),
        failure: { code: -2019, msg: 'Margin is insufficient.' },
      };
      expect(await ask(small, 'allAlgoOrders')).toMatchObject([shown]);
      world.clock.advance(1000);
    }
    await place(maker, { quantity: '0.2', price: '59700' });
    await world.price(597_000);
    const [row] = await ask(small, 'allAlgoOrders');
    expect(row).toMatchObject({ algoStatus: 'FINISHED', executedQty: '0.200' });
    expect(row.failure).toBeUndefined();
  }),
);

eachDatabase(
  'ORD-12 without a window all times count; a window whose end is before its start is empty',
  (where) =>
    onStage(where, async (stage) => {
      const { taker, ask, at, goTo, world } = stage;
      await buyAndSell(stage);
      await goTo(at(2) + 400 * day);
      const year = { startTime: at(0), endTime: world.clock.now() };
      for (const path of ['allOrders', 'userTrades', 'income', 'userTrades/slippage']) {
        const all = await ask(taker, path);
        expect(all.length, path).toBeGreaterThan(1);
        expect(await ask(taker, path, year), path).toEqual(all);
        const limited = await ask(taker, path, { limit: 1_000_000 });
        expect(limited, path).toEqual(all);
        const upsideDown = { startTime: at(2), endTime: at(1) };
        expect(await ask(taker, path, upsideDown), path).toEqual([]);
      }
    }),
);

eachDatabase('ORD-12a ORD-5 orderAmendment: newest first, numbered by order', (where) =>
  onStage(where, async ({ taker, maker, ask, refused, place, world, at, goTo }) => {
    await goTo(at(1));
    const { orderId } = await place(taker, { newClientOrderId: 'mine' });
    await place(taker, {});
    for (const price of ['50001', '50002', '50003']) {
      world.clock.advance(10);
      const change = { symbol, orderId, side: 'BUY', quantity: '0.02', price };
      expect((await world.call(taker, 'PUT', '/fapi/v1/order', change)).status).toBe(200);
    }
    const rows: Body[] = await ask(taker, 'orderAmendment', { origClientOrderId: 'mine' });
    expect(rows[2]).toEqual({
      amendmentId: 1,
      symbol,
      pair: symbol,
      orderId,
      clientOrderId: 'mine',
      time: at(1) + 10,
      amendment: {
        price: { before: '50000.0', after: '50001.0' },
        origQty: { before: '0.010', after: '0.020' },
        count: 1,
      },
    });
    expect(rows.map(({ amendment }) => [amendment.price.after, amendment.count])).toEqual([
      ['50003.0', 3],
      ['50002.0', 2],
      ['50001.0', 1],
    ]);
    expect(await ask(taker, 'orderAmendment', { orderId })).toEqual(rows);
    expect(await ask(taker, 'orderAmendment', { orderId, limit: 1 })).toEqual(rows.slice(0, 1));
    const early = { orderId, startTime: at(1), limit: 2 };
    expect(await ask(taker, 'orderAmendment', early)).toEqual(rows.slice(1));
    expect(await refused(maker, 'orderAmendment', { orderId })).toEqual([404, -2013]);
    const nobodys = { orderId: nobodysOrder };
    expect(await refused(taker, 'orderAmendment', nobodys)).toEqual([404, -2013]);
    expect(await refused(taker, 'orderAmendment')).toEqual([400, -1102]);
    expect(await refused(taker, 'orderAmendment', { orderId: '1' })).toEqual([400, -1100]);
  }),
);
