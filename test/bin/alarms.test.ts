// The reports to an operator and the readings of a scraper, over a replica whose time the test
// sets.

import { expect, test } from 'vitest';
import type { GapHole } from '../../src/archivist/gapHoles.ts';
import { createAlarms } from '../../src/bin/createAlarms.ts';
import { createGapHoles } from '../../src/bin/createGapHoles.ts';
import { createMetrics } from '../../src/bin/createMetrics.ts';
import type { Command } from '../../src/engine/command.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import { viewEvent } from '../../src/market-data/views.ts';
import type { MarketId, Money, Time } from '../../src/units/units.ts';
import { openingCommands } from '../engine/commandStream.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { createSteppedReplica, type SteppedReplica } from '../fixtures/steppedReplica.ts';
import { deleveraged, indexRefused, liquidationFlagged } from '../market-data/eventRows.ts';
import { quietMetrics, readMetrics } from './readMetrics.ts';

const noHoles = { holeOf: () => undefined };

function opened(): SteppedReplica {
  const stepped = createSteppedReplica();
  const { clock, send, turn } = stepped;
  const observedAt = clock.now() as Time;
  for (const command of openingCommands()) {
    const timely: Command =
      command.kind === 'indexTick'
        ? { ...command, prices: command.prices.map((price) => ({ ...price, observedAt })) }
        : command;
    send('opening', timely);
  }
  turn();
  return stepped;
}

test('PRC-2: a refused index is reported once a minute per market, with the count', () => {
  const { replica, clock, state } = opened();
  const refuse = (market: number): void =>
    viewEvent(state.views, state.exchange, indexRefused(market));
  const heard: string[] = [];
  refuse(0);
  const { check } = createAlarms({
    replica,
    gapHoles: noHoles,
    clock,
    alarm: (message) => heard.push(message),
  });
  check();
  refuse(0);
  // The gate may just be getting over the time that nothing ran.
  clock.advance(4999);
  check();
  expect(heard).toEqual([]);
  clock.advance(1);
  refuse(1);
  check();
  expect(heard.splice(0)).toEqual([
    expect.stringContaining('BTCUSDT: the gate refused 1 index prices'),
    expect.stringContaining('ETHUSDT: the gate refused 1 index prices'),
  ]);
  for (let second = 1; second < 60; second += 1) {
    clock.advance(1000);
    refuse(0);
    check();
  }
  expect(heard).toEqual([]);
  clock.advance(1000);
  check();
  expect(heard).toEqual([expect.stringContaining('BTCUSDT: the gate refused 59 index prices')]);
  clock.advance(60_000);
  check();
  expect(heard).toHaveLength(1);
});

test('PRC-2: refusals after a stop are not reported once a price is accepted', () => {
  const { replica, clock, state } = opened();
  const heard: string[] = [];
  const { check } = createAlarms({
    replica,
    gapHoles: noHoles,
    clock,
    alarm: (message) => heard.push(message),
  });
  viewEvent(state.views, state.exchange, indexRefused(0));
  viewEvent(state.views, state.exchange, indexRefused(1));
  clock.advance(5000);
  state.exchange.markets[0]!.prices.indexAt = clock.now() as Time;
  check();
  expect(heard).toEqual([expect.stringContaining('ETHUSDT: the gate refused 1')]);
});

test('a clock that was set back is reported once a minute and measured', async () => {
  const { replica, clock } = opened();
  const heard: string[] = [];
  const { check } = createAlarms({
    replica,
    gapHoles: noHoles,
    clock,
    alarm: (message) => heard.push(message),
  });
  check();
  clock.advance(-3000);
  check();
  expect(heard).toEqual([]);
  clock.advance(-3_597_000);
  check();
  check();
  expect(heard.splice(0)).toEqual([expect.stringContaining("3600.0 s behind the exchange's time")]);
  const { reported } = await readMetrics(createMetrics({ ...quietMetrics, replica, clock }));
  expect(reported('clock_behind_seconds')).toEqual(['evermark_clock_behind_seconds 3600']);
  clock.advance(60_000);
  check();
  expect(heard).toEqual([expect.stringContaining('3540.0 s behind')]);
});

test('LIQ-4: a growing shortfall is reported, a constant or falling one is not', () => {
  const { replica, clock, state } = opened();
  const { funds } = state.exchange;
  const heard: string[] = [];
  funds.shortfall = 5_000_000 as Money;
  const { check } = createAlarms({
    replica,
    gapHoles: noHoles,
    clock,
    alarm: (message) => heard.push(message),
  });
  check();
  funds.shortfall = 4_000_000 as Money;
  check();
  expect(heard).toEqual([]);
  funds.shortfall = 6_500_000 as Money;
  check();
  check();
  expect(heard).toEqual([expect.stringContaining('grew by 2.5 to 6.5 USDT')]);
});

test('OPS-8 a gap that would cost more than half of the fund is reported once, until it ends', () => {
  const { replica, clock, state } = opened();
  const holes = new Map<MarketId, Money>();
  const heard: string[] = [];
  const { check } = createAlarms({
    replica,
    gapHoles: { holeOf: (market) => holes.get(market) },
    clock,
    alarm: (message) => heard.push(message),
  });
  const later = (milliseconds: number): void => {
    clock.advance(milliseconds);
    check();
  };
  state.exchange.accounts[insuranceAccount]!.available = 10_000_000 as Money;
  check();
  holes.set(0 as MarketId, 5_000_000 as Money);
  later(1000);
  expect(heard).toEqual([]);
  holes.set(0 as MarketId, 5_000_001 as Money);
  later(1000);
  expect(heard.splice(0)).toEqual([
    'BTCUSDT: a gap of 5 % would cost 5.000001 USDT more than its positions can pay, which is ' +
      'more than half of the 10 USDT of the insurance fund',
  ]);
  // It stands for minutes, and for less than a minute it is gone.
  for (let second = 0; second < 200; second += 1) later(1000);
  holes.clear();
  later(59_000);
  holes.set(0 as MarketId, 6_000_000 as Money);
  later(999);
  expect(heard).toEqual([]);
  holes.clear();
  later(1000);
  holes.set(0 as MarketId, 6_000_000 as Money);
  later(59_000);
  expect(heard).toHaveLength(1);
});

test('OPS-8 the archivist is asked every five seconds, and never twice at once', async () => {
  const clock = createManualClock();
  const asked: PromiseWithResolvers<readonly GapHole[]>[] = [];
  const { check, holeOf } = createGapHoles({
    ask: () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    },
    clock,
  });
  const market = 0 as MarketId;
  const later = (milliseconds: number): void => {
    clock.advance(milliseconds);
    check();
  };
  later(4999);
  expect(asked).toHaveLength(0);
  later(1);
  later(5000);
  expect(asked).toHaveLength(1);
  expect(holeOf(market)).toBeUndefined();
  asked[0]!.resolve([{ market, hole: 7 as Money }]);
  await asked[0]!.promise;
  expect(holeOf(market)).toBe(7);
  check();
  expect(asked).toHaveLength(2);
  asked[1]!.resolve([]);
  await asked[1]!.promise;
  // A settled market has none any more.
  expect(holeOf(market)).toBeUndefined();
  later(4999);
  expect(asked).toHaveLength(2);
});

test('the metrics show the fund, waiting work, and each market', async () => {
  const { replica, clock, state } = opened();
  const { exchange, views } = state;
  exchange.accounts[insuranceAccount]!.available = 1_500_000 as Money;
  exchange.funds.shortfall = 2_000_000 as Money;
  viewEvent(views, exchange, indexRefused(1));
  viewEvent(views, exchange, liquidationFlagged(4, true));
  viewEvent(views, exchange, deleveraged(4, 5, { id: 9, market: 1 }));
  exchange.markets[2]!.dues.settledAt = exchange.time;
  clock.advance(31_000);
  const { reported } = await readMetrics(createMetrics({ ...quietMetrics, replica, clock }));
  expect(reported('insurance_fund_usdt')).toEqual(['evermark_insurance_fund_usdt 1.5']);
  expect(reported('shortfall_usdt')).toEqual(['evermark_shortfall_usdt 2']);
  expect(reported('in_liquidation')).toEqual(['evermark_in_liquidation 1']);
  expect(reported('stream_readers ')).toEqual(['evermark_stream_readers 3']);
  expect(reported('withdrawals_pending ')).toEqual(['evermark_withdrawals_pending 0']);
  expect(reported('index_age_seconds')).toEqual([
    'evermark_index_age_seconds{symbol="BTCUSDT"} 31',
    'evermark_index_age_seconds{symbol="ETHUSDT"} 31',
  ]);
  expect(reported('market_restriction')).toEqual([
    'evermark_market_restriction{symbol="BTCUSDT"} 2',
    'evermark_market_restriction{symbol="ETHUSDT"} 2',
  ]);
  // ETHUSDT has no answer yet.
  expect(reported('gap_hole_usdt')).toEqual(['evermark_gap_hole_usdt{symbol="BTCUSDT"} 2.5']);
  expect(reported('index_refusals_total')).toEqual([
    'evermark_index_refusals_total{symbol="BTCUSDT"} 0',
    'evermark_index_refusals_total{symbol="ETHUSDT"} 1',
    'evermark_index_refusals_total{symbol="AVAXUSDT"} 0',
  ]);
  expect(reported('deleveragings_total{symbol="ETHUSDT"}')[0]).toMatch(/ 1$/);
});
