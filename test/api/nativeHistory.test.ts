// The past on the native surface (NAT-1 … NAT-3, BAL-3), on both databases.

import { expect } from 'vitest';
import { eachDatabase, type TestDatabase } from '../fixtures/eachDatabase.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';
import { type Trader, twoTraders } from '../fixtures/twoTraders.ts';

const symbol = 'BTCUSDT';
const limit = { symbol, type: 'LIMIT', quantity: '0.1', price: '50000' } as const;

type Reported = {
  readonly world: MemoryExchange;
  readonly alice: Trader;
  readonly bob: Trader;
};

async function inExchange(
  where: TestDatabase,
  tell: (reported: Reported) => Promise<void>,
): Promise<void> {
  const world = await openMemoryExchange({ where });
  const traders = await twoTraders(world);
  await tell({ world, ...traders });
  expect(world.faults).toEqual([]);
  await world.close();
}

/** Alice sells 0.1 to bob at 50000, who sells 0.04 back at 50100 later. */
async function trade({ world, alice, bob }: Reported): Promise<void> {
  await alice.native.placeNativeOrder({ ...limit, side: 'SELL' });
  await bob.native.placeNativeOrder({ ...limit, side: 'BUY', client_order_id: 'bought' });
  world.clock.advance(1000);
  const back = { ...limit, quantity: '0.04', price: '50100' };
  await alice.native.placeNativeOrder({ ...back, side: 'BUY' });
  await bob.native.placeNativeOrder({ ...back, side: 'SELL' });
}

/** Millionths of a USDT. */
const millionths = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return text.startsWith('-') ? -value : value;
};

eachDatabase('BAL-3 ledger: every change of a balance, and their sum is the balance', (where) =>
  inExchange(where, async (reported) => {
    const { alice, bob, world } = reported;
    const began = world.clock.now();
    const { operator } = world.client({ operatorToken });
    const house = { address: alice.address, house: true } as never;
    await operator.changeAccount(house);
    await trade(reported);
    await bob.native.requestWithdrawal({ amount: '12.5' });
    await operator.settleFunding({ symbol });
    for (const { native } of [alice, bob]) {
      const rows = await native.listLedger();
      const [balance] = await native.listBalances();
      const sum = rows.reduce((total, { amount }) => total + millionths(amount), 0n);
      expect(sum).toBe(millionths(balance!.balance));
      expect(rows.at(-1)!.balance).toBe(balance!.balance);
    }
    const rows = await bob.native.listLedger();
    const short = rows.map((row) => [row.kind, row.symbol, row.amount, row.balance, row.trade_id]);
    expect(short).toEqual([
      ['deposit', null, '100000', '100000', null],
      ['fee', symbol, '-2.5', '99997.5', 1],
      ['realized_pnl', symbol, '4', '100001.5', 2],
      ['fee', symbol, '-1.002', '100000.498', 2],
      ['withdrawal', null, '-12.5', '99987.998', null],
      // Bob held 0.1 for a second: 1 % of 5000, of eight hours (FUND-1c).
      ['funding', symbol, '-0.001737', '99987.996263', null],
    ]);
    const [deposit, bought, , sold] = rows;
    expect(bought!.tran_id).not.toBe(sold!.tran_id);
    expect(deposit).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    // From a row on, and by time.
    expect(await bob.native.listLedger({ from: bought!.id, limit: 2 })).toEqual(rows.slice(1, 3));
    expect(await bob.native.listLedger({ limit: 2 })).toEqual(rows.slice(4));
    expect(await bob.native.listLedger({ symbol })).toEqual([rows[1], rows[2], rows[3], rows[5]]);
    const later = { start_time: began + 1 };
    expect(await bob.native.listLedger(later)).toEqual(rows.slice(2));
    await expect(bob.native.listLedger({ from: '7' })).rejects.toMatchObject({ status: 400 });
    // A garbled place does not restart a list.
    for (const from of [rows[1]!.id.replace('-7', '-4'), rows[1]!.id.replace(/0$/, '1')]) {
      await expect(bob.native.listLedger({ from })).rejects.toMatchObject({ status: 400 });
    }
    expect(await bob.native.listLedger({ from: rows[5]!.id.replace('-8', '-9') })).toEqual([]);
    await expect(bob.native.listLedger({ limit: 0 })).rejects.toMatchObject({ status: 400 });
    await expect(world.client().native.listLedger()).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
    });
  }),
);

eachDatabase('NAT-1 FUND-3 funding payments: rate, position and fee, from a row on', (where) =>
  inExchange(where, async (reported) => {
    const { alice, bob, world } = reported;
    const { operator } = world.client({ operatorToken });
    await trade(reported);
    for (let boundary = 0; boundary < 2; boundary += 1) {
      world.clock.advance(1000);
      await operator.settleFunding({ symbol });
    }
    const rows = await bob.native.listFundingPayments();
    expect(rows).toMatchObject([
      { symbol, position_side: 'LONG', position_size: '0.060' },
      { symbol, position_side: 'LONG', position_size: '0.060', time: world.clock.now() },
    ]);
    const paid = (await bob.native.listLedger()).filter(({ kind }) => kind === 'funding');
    expect(rows.map(({ funding_fee, tran_id }) => [funding_fee, tran_id])).toEqual(
      paid.map(({ amount, tran_id }) => [amount, tran_id]),
    );
    const [first, second] = rows;
    expect(await bob.native.listFundingPayments({ from: second!.tran_id })).toEqual([second]);
    expect(await bob.native.listFundingPayments({ end_time: first!.time, symbol })).toEqual([
      first,
    ]);
    expect(await alice.native.listFundingPayments({ limit: 1 })).toMatchObject([
      { position_side: 'SHORT', funding_fee: second!.funding_fee.replace('-', '') },
    ]);
  }),
);

eachDatabase('NAT-3 deposits and withdrawals, NAT-2 the ledger of the fund', (where) =>
  inExchange(where, async ({ world, alice, bob }) => {
    const { operator } = world.client({ operatorToken });
    world.clock.advance(10);
    const { address } = bob;
    await operator.creditAccount({ address, amount: '7.25', reference: 'second' });
    const deposits = await bob.native.listDeposits();
    expect(deposits).toMatchObject([
      { amount: '100000', reference: 'start of 2' },
      { amount: '7.25', reference: 'second', time: world.clock.now() },
    ]);
    expect(await bob.native.listDeposits({ from: deposits[1]!.id })).toEqual(deposits.slice(1));
    expect(await alice.native.listDeposits()).toHaveLength(1);
    const ids: string[] = [];
    for (const amount of ['1', '2', '3']) {
      world.clock.advance(1);
      ids.push((await bob.native.requestWithdrawal({ amount })).id);
    }
    await operator.resolveWithdrawal({ id: ids[1]!, action: 'complete' });
    const asked = { from: ids[1]!, limit: 1 };
    const [second] = await bob.native.listWithdrawals(asked);
    expect(second).toMatchObject({ id: ids[1], amount: '2', status: 'completed' });

    await operator.creditInsurance({ amount: '500', reference: 'fund' });
    const fund = await world.client().native.listInsuranceLedger();
    expect(fund).toMatchObject([{ kind: 'deposit', amount: '500', balance: '500', symbol: null }]);
    expect(JSON.stringify(fund)).not.toContain('reference');
    expect((await world.client().native.getInsuranceFund()).balance).toBe('500');
    await expect(
      world.client().native.listInsuranceLedger({ symbol: 'XUSDT' }),
    ).rejects.toMatchObject({ code: 'INVALID_MARKET' });
  }),
);

eachDatabase('NAT-1 orders with an ended status, fills', (where) =>
  inExchange(where, async (reported) => {
    const { alice, bob } = reported;
    await trade(reported);
    const open = await bob.native.placeNativeOrder({ ...limit, side: 'BUY', price: '40000' });
    const gone = await bob.native.placeNativeOrder({ ...limit, side: 'BUY', price: '40000' });
    await bob.native.cancelNativeOrder({ id: gone.order_id });
    const filled = await bob.native.listNativeOrders({ status: 'FILLED' });
    expect(filled).toMatchObject([
      { client_order_id: 'bought', executed_qty: '0.100' },
      { side: 'SELL', executed_qty: '0.040' },
    ]);
    const { order_id: from } = filled[1]!;
    expect(await bob.native.listNativeOrders({ status: 'FILLED', from })).toEqual([filled[1]]);
    const cancelled = await bob.native.listNativeOrders({ status: 'CANCELED', symbol });
    expect(cancelled).toEqual([await bob.native.getNativeOrder({ id: gone.order_id })]);
    expect(await bob.native.listNativeOrders({ status: 'REJECTED' })).toEqual([]);
    expect(await bob.native.listNativeOrders({ status: 'NEW' })).toMatchObject([
      { order_id: open.order_id },
    ]);
    expect(await bob.native.listNativeOrders()).toHaveLength(1);
    expect(await alice.native.listNativeOrders({ status: 'CANCELED' })).toEqual([]);

    const fills = await bob.native.listFills({ symbol });
    expect(fills).toMatchObject([
      { id: 1, kind: 'trade', side: 'BUY', commission: '2.5', realized_pnl: '0', maker: false },
      { id: 2, kind: 'trade', side: 'SELL', realized_pnl: '4', order_id: from },
    ]);
    expect(await bob.native.listFills({ symbol, from: 2 })).toEqual(fills.slice(1));
    expect(await bob.native.listFills({ symbol, from: 1, limit: 1 })).toEqual(fills.slice(0, 1));
    expect(await bob.native.listFills({ symbol, order_id: from })).toEqual(fills.slice(1));
    await expect(alice.native.listFills({ symbol, order_id: from })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
  }),
);

eachDatabase('HIST-3 503 -1007 while the tables are behind, on both surfaces', (where) =>
  inExchange(where, async ({ world, bob }) => {
    world.history.setBehind(true);
    const message = expect.stringContaining('History is catching up; ask again in a moment.');
    const failed = { status: 503, message };
    const id = '01900000-0000-7000-8000-000000200000';
    for (const call of [
      () => bob.native.listLedger(),
      () => bob.native.listFills({ symbol }),
      () => bob.native.getNativeOrder({ id }),
    ]) {
      await expect(call()).rejects.toMatchObject({ ...failed, code: 'HISTORY_BEHIND' });
    }
    for (const call of [
      () => bob.fapi.getUserTrades({ symbol }),
      () => bob.fapi.getAllAlgoOrders({ symbol }),
      () => bob.fapi.getOrder({ symbol, orderId: id }),
    ]) {
      await expect(call()).rejects.toMatchObject({ ...failed, code: -1007 });
    }
    await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
  }),
);

eachDatabase('AUTH-6 without a database: 500 INTERNAL, Database failure.', (where) =>
  inExchange(where, async ({ world, bob }) => {
    world.history.setWorking(false);
    const failed = { status: 500, code: 'INTERNAL', message: expect.stringContaining('Database') };
    const id = '01900000-0000-7000-8000-000000200000';
    for (const call of [
      () => bob.native.listLedger(),
      () => bob.native.listFills({ symbol }),
      () => bob.native.listDeposits(),
      () => bob.native.listNativeOrders({ status: 'FILLED' }),
      () => bob.native.getNativeOrder({ id }),
      () => world.client().native.listInsuranceLedger(),
    ]) {
      await expect(call()).rejects.toMatchObject(failed);
    }
    await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    expect(await bob.native.listNativeOrders()).toEqual([]);
    expect(await bob.native.listWithdrawals()).toEqual([]);
  }),
);
