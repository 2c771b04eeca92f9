// No rounding ever favours an account (UNIT-3), as properties over random trading. The grids are
// the finest there are, so that nearly every division leaves a remainder.

import { expect, test } from 'vitest';
import { type Account, balanceOf } from '../../src/engine/account.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { equityOf } from '../../src/engine/clearing/margin.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { ordersByPriority } from '../../src/engine/ordersByPriority.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Lots, MarketId, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const names = ['anna', 'ben', 'cleo', 'dan'];
const deposit = 40_000_000;
const market = 0 as MarketId;

function createTrading(terms: string, ticks: number): Exchange {
  const credits = names.map((name) => `credit ${name} 40`).join('\n');
  const { exchange } = play(
    createWorld(),
    `market DUSTUSDT minOrderSize 0.000001 ${terms}\n${credits}`,
  );
  setIndex(exchange, ticks);
  return exchange;
}

function setIndex(exchange: Exchange, ticks: number): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const price = { market, source: 'sim', ticks: ticks as Ticks, observedAt: exchange.time };
  run(exchange, { kind: 'indexTick', prices: [price] });
}

function run(exchange: Exchange, command: Command): boolean {
  const outcome = applyCommand(exchange, command, 0 as Time);
  const reason = outcome.kind === 'rejected' ? outcome.rejection.reason : undefined;
  expect(reason).not.toBe('fault');
  return outcome.kind === 'accepted';
}

/** All accounts except the insurance fund. */
const tradersOf = (exchange: Exchange): Account[] => liveAccounts(exchange).slice(1);

/** Opens, modifies, cancels and closes, all at one price. */
function drawAtPrice(prng: Prng, exchange: Exchange, ticks: Ticks): Command {
  const account = (1 + prng.below(names.length)) as AccountId;
  const lots = (1 + prng.below(60)) as Lots;
  const live = ordersByPriority(exchange);
  const order = live[prng.below(Math.max(live.length, 1))];
  const draw = prng.below(20);
  if (draw === 0) return { kind: 'setLeverage', account, market, leverage: 1 + prng.below(50) };
  if (draw < 4 && order !== undefined) {
    const { id, createdAt, account: owner } = order;
    const reference = { order: { id, createdAt }, account: owner, market };
    return draw === 1
      ? { kind: 'cancelOrder', ...reference }
      : { kind: 'modifyOrder', ...reference, side: undefined, lots, ticks };
  }
  return {
    ...orderOf(account, prng.below(2) === 0 ? 1 : -1, lots, ticks),
    timeInForce: prng.below(4) === 0 ? 'IOC' : 'GTC',
    reduceOnly: prng.below(3) === 0,
    selfTradeMode: prng.below(3) === 0 ? 'NONE' : 'EXPIRE_MAKER',
  };
}

const orderOf = (account: AccountId, side: Side, lots: Lots, ticks: Ticks): PlaceOrder =>
  orderCommand({ account, market, side, lots, ticks });

test('UNIT-3 opening, modifying, cancelling and closing at one price without fees never gains a unit', () => {
  let trades = 0;
  for (let seed = 1; seed <= 25; seed += 1) {
    const prng = createPrng(seed);
    const ticks = (1 + prng.below(5000)) as Ticks;
    const exchange = createTrading('makerFee 0 takerFee 0', ticks);
    for (let step = 0; step < 400; step += 1) {
      run(exchange, drawAtPrice(prng, exchange, ticks));
      for (const account of tradersOf(exchange)) {
        expect(balanceOf(account), `seed ${seed}, step ${step}`).toBeLessThanOrEqual(deposit);
      }
    }
    trades += exchange.markets[0]!.figures.tradeId;
    closeAll(exchange, ticks);
    // When all are flat again, the balances are exactly as before: nothing was lost either.
    for (const account of tradersOf(exchange)) expect(balanceOf(account)).toBe(deposit);
    expect(checkInvariants(exchange).failures).toEqual([]);
  }
  expect(trades).toBeGreaterThan(1000);
});

/** Ends every order and lets the accounts close against each other at `ticks`. */
function closeAll(exchange: Exchange, ticks: Ticks): void {
  for (const { id } of tradersOf(exchange)) {
    run(exchange, { kind: 'cancelAllOrders', account: id, market });
  }
  const lotsOf = ({ positions }: Account): number => positions[market]?.lots ?? 0;
  for (const reduceSide of [-1, 1] as const) {
    for (const account of liveAccounts(exchange)) {
      const lots = lotsOf(account);
      if (lots === 0 || Math.sign(lots) === reduceSide) continue;
      const order = orderOf(account.id, reduceSide, Math.abs(lots) as Lots, ticks);
      expect(run(exchange, { ...order, reduceOnly: true })).toBe(true);
    }
  }
  for (const account of liveAccounts(exchange)) expect(lotsOf(account)).toBe(0);
}

test('UNIT-3 a fill at the mark without fees changes no equity by a unit', () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const prng = createPrng(1000 + seed);
    let ticks = 900 + prng.below(200);
    const exchange = createTrading('makerFee 0 takerFee 0 markClamp 0', ticks);
    for (let step = 0; step < 300; step += 1) {
      if (prng.below(6) === 0) {
        for (const { id } of tradersOf(exchange)) {
          run(exchange, { kind: 'cancelAllOrders', account: id, market });
        }
        ticks = Math.max(800, ticks + prng.below(41) - 20);
        setIndex(exchange, ticks);
      }
      const before = liveAccounts(exchange).map((account) => equityOf(exchange, account));
      run(exchange, drawAtPrice(prng, exchange, ticks as Ticks));
      const after = liveAccounts(exchange).map((account) => equityOf(exchange, account));
      expect(after, `seed ${seed}, step ${step}`).toEqual(before);
    }
  }
});

test('UNIT-3 MAR-3 a fill takes its fee, rounded up, and nothing else', () => {
  const rate = { maker: 12_345n, taker: 54_321n };
  const ceil = (notional: bigint, share: bigint): bigint =>
    (notional * share + 99_999_999n) / 100_000_000n;
  let fills = 0;
  for (let seed = 1; seed <= 15; seed += 1) {
    const prng = createPrng(2000 + seed);
    const ticks = (1 + prng.below(5000)) as Ticks;
    const exchange = createTrading('makerFee 0.00012345 takerFee 0.00054321', ticks);
    exchange.events = [];
    for (let step = 0; step < 300; step += 1) {
      run(exchange, drawAtPrice(prng, exchange, ticks));
      for (const event of exchange.events) {
        if (event.kind !== 'traded') continue;
        const notional = BigInt(event.ticks) * BigInt(event.lots);
        expect(BigInt(event.maker.fee)).toBe(ceil(notional, rate.maker));
        expect(BigInt(event.taker.fee)).toBe(ceil(notional, rate.taker));
        fills += 1;
      }
      exchange.events = [];
    }
  }
  expect(fills).toBeGreaterThan(500);
});
