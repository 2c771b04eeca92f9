// The view counts the accounts that a price of the operator liquidates. Goal: the view and
// the tick agree, whatever the state. Method: a drawn life with cross, unified and isolated
// accounts; sometimes a drawn price is asked about and then stated.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { liquidatedByPrice, liquidatedByTerms } from '../../src/engine/views/liquidatedBy.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Rate, Ticks, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';
import { openingCommands } from './commandStream.ts';

const none = 0 as Time;
const start = 1_700_000_000_000;

test.each([1, 2, 3, 4])(
  'OPS-4 LIQ-1 the view counts the accounts that the tick flags (seed %s)',
  (seed) => {
    const prng = createPrng(seed);
    const exchange = createExchange(43113);
    let now = start;
    beginBatch(exchange, now as Time);
    for (const command of openingCommands()) applyCommand(exchange, command, none);
    let asked = 0;
    let reported = 0;
    let ticks = 600_000;
    const sources = [{ source: 'manual', weight: 1 }];
    applyCommand(
      exchange,
      {
        kind: 'changeMarket',
        market: 0 as never,
        terms: { indexSources: sources },
        status: undefined,
      },
      none,
    );
    const state = (price: number): void => {
      now += 1000;
      beginBatch(exchange, now as Time);
      const observedAt = now as Time;
      const one = { market: 0 as never, source: 'manual', ticks: price as Ticks, observedAt };
      applyCommand(exchange, { kind: 'indexTick', prices: [one] }, none);
    };
    state(ticks);
    for (let step = 0; step < 400; step += 1) {
      const account = (1 + prng.below(12)) as never;
      const side = prng.below(2) === 0 ? 1 : -1;
      const price = Math.round(ticks * (1 + (side * prng.below(20)) / 10_000));
      applyCommand(
        exchange,
        { kind: 'setLeverage', account, market: 0 as never, leverage: 45 },
        none,
      );
      applyCommand(
        exchange,
        {
          kind: 'placeOrder',
          account,
          market: 0 as never,
          side,
          type: 'LIMIT',
          timeInForce: 'GTC',
          lots: (1 + prng.below(200)) as never,
          quote: 0 as never,
          ticks: price as Ticks,
          reduceOnly: false,
          selfTradeMode: undefined,
          workingType: 'MARK_PRICE',
          priceProtect: false,
          clientOrderId: '',
          maxSlippage: undefined,
          idempotencyKey: '',
          idempotencyRequest: '',
        },
        none,
      );
      if (step % 10 !== 9) continue;
      const next = Math.round(ticks * (1 + (prng.below(1200) - 600) / 10_000));
      now += 1000;
      beginBatch(exchange, now as Time);
      const market = exchange.markets[0]!;
      const before = stateHash(exchange);
      const liquidated = liquidatedByPrice(exchange, market, next as Ticks);
      expect(stateHash(exchange)).toBe(before);
      exchange.events = [];
      const observedAt = now as Time;
      const one = { market: market.id, source: 'manual', ticks: next as Ticks, observedAt };
      applyCommand(exchange, { kind: 'indexTick', prices: [one] }, none);
      const flagged = exchange.events.flatMap((event) =>
        event.kind === 'liquidationFlagged' && event.flagged && event.account !== 0
          ? [event.account]
          : [],
      );
      // Closing the first may ruin others, which the view cannot foresee; never fewer.
      expect(new Set(flagged).size).toBeGreaterThanOrEqual(liquidated.accounts);
      if (liquidated.accounts === 0) expect(flagged).toEqual([]);
      else expect(liquidated.notional).toBeGreaterThan(0);
      asked += 1;
      reported += liquidated.accounts;
      exchange.events = [];
      ticks = next;
    }
    expect(asked).toBe(40);
    // A life without a liquidation would prove nothing.
    expect(reported).toBeGreaterThan(0);
  },
);

test('OPS-4 wouldLiquidate, termsChanged: the engine judges a change by the state that it meets', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 1000
    credit ben 100000
    index 60000
    anna mode isolated
    anna leverage 50
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    change status HALT
    `,
  );
  const { exchange } = world;
  const market = exchange.markets[0]!;
  const { indexSources, markClamp } = market.terms;
  const judged = { indexSources, markClamp, status: 'HALT', mayLiquidate: false } as const;
  const change = { kind: 'changeMarket', market: market.id, terms: {}, status: 'TRADING' } as const;
  const applied = (more: object) =>
    applyCommand(exchange, { ...change, judged: { ...judged, ...more } }, none);
  // The request saw 60,000, where no account is liquidated; a price comes before its command.
  expect(liquidatedByTerms(exchange, market, { ...market, status: 'TRADING' }).accounts).toBe(0);
  play(world, 'index 57500');
  const before = stateHash(exchange);
  expect(applied({})).toMatchObject({ rejection: { reason: 'wouldLiquidate', accounts: 1 } });
  expect(applied({ markClamp: 1, mayLiquidate: true })).toMatchObject({
    rejection: { reason: 'termsChanged' },
  });
  expect(applied({ status: 'TRADING' })).toMatchObject({ rejection: { reason: 'termsChanged' } });
  expect(applied({ indexSources: [] })).toMatchObject({ rejection: { reason: 'termsChanged' } });
  expect(stateHash(exchange)).toBe(before);
  // What no mark depends on is not asked about.
  const fees = { ...change, terms: { takerFee: 60_000 as Rate }, status: undefined, judged };
  expect(applyCommand(exchange, fees, none).kind).toBe('accepted');
  expect(applied({ mayLiquidate: true }).kind).toBe('accepted');
  expect(exchange.events.some(({ kind }) => kind === 'liquidationFlagged')).toBe(true);
});

test('OPS-4 SYM-2c closing a market within the hour counts who the moved mark liquidates', () => {
  // The hour's mean is 54012.7; at 59000 Anna has 540, at the mean 41 of 54.
  const { exchange } = play(
    createWorld(),
    `
    market BTCUSDT makerFee 0 takerFee 0
    credit anna 540
    credit ben 10000
    after 750
    index 54000
    steady 54000 for 97760
    index 59000
    anna leverage 50
    anna buy 0.1 @ 59000
    ben sell 0.1 @ 59000
    after 250
    `,
  );
  const market = exchange.markets[0]!;
  const wanted = (deliveryTime: number) => ({
    terms: { ...market.terms, deliveryTime: deliveryTime as Time },
    status: 'CLOSE' as const,
  });
  expect(liquidatedByTerms(exchange, market, wanted(1_760_000_100_000)).accounts).toBe(1);
  // Its hour begins in an hour.
  expect(liquidatedByTerms(exchange, market, wanted(1_760_007_300_000)).accounts).toBe(0);
  const change = (deliveryTime: number, mayLiquidate: boolean) => {
    const { indexSources, markClamp } = market.terms;
    const judged = { indexSources, markClamp, status: 'TRADING', mayLiquidate } as const;
    const terms = { deliveryTime: deliveryTime as Time };
    const command = { kind: 'changeMarket', market: market.id, terms, status: 'CLOSE', judged };
    return applyCommand(exchange, command as never, none);
  };
  const rejection = { reason: 'wouldLiquidate', accounts: 1 };
  expect(change(1_760_000_100_000, false)).toEqual({ kind: 'rejected', rejection });
  expect(change(1_760_007_300_000, false).kind).toBe('accepted');
});
