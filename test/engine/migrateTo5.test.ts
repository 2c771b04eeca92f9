// Goal: a state of format 4 goes on with values that change nothing that stands. Method: sections
// as the engine of format 4 wrote them are migrated, and compared with the state that they came
// from.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { formatFourSections } from '../fixtures/formatFour.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

/** Every list of a market has items: sources, a refused index, marks, minutes. */
const busy = `
  market BTCUSDT indexSources sim:1,other:2
  market AVAXUSDT maxLeverage 25 maintenanceMarginRate 0.02 markClamp 0.005 priceBand 0.1
  prices sim=60000 other=60000 BTCUSDT
  index 30 AVAXUSDT
  credit anna 100000
  credit ben 100000
  anna buy 1 @ 60000 BTCUSDT
  ben sell 1 @ 60000 BTCUSDT
  anna sell 100 @ 30 AVAXUSDT key k1 request r1
  ben buy 60 @ 30 AVAXUSDT
  after 61000
  prices sim=60100 other=60100 BTCUSDT
  index 30.1 AVAXUSDT
  index 15 AVAXUSDT
  change BTCUSDT maintenanceMarginRate 0.015
`;

test('MAR-10 MAR-11 LIQ-8 a state of format 4 goes on: one bracket, and nothing new is bounded', () => {
  const { exchange } = play(createWorld(), busy);
  const [btc, avax] = exchange.markets;
  expect(avax!.prices.pending).toHaveLength(1);
  expect(btc!.indexMinutes.length).toBeGreaterThan(1);
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(exchange), 4));
  for (const { figures, dues, terms } of exchange.markets) {
    // The older engine did not know them: the interval begins anew, and no fees wait.
    Object.assign(figures, { fundingSum: 0, fundingAt: exchange.time });
    figures.feesToShare = 0 as Money;
    // Nor when the interval began: as late as it may have, at the boundary.
    dues.fundingFrom = (dues.fundingEnd - terms.fundingIntervalHours * 3_600_000) as Time;
  }
  exchange.referralTerms = { ...exchange.referralTerms, enabled: false };
  const before = stateHash(exchange);
  expect(checkInvariants(migrated).failures).toEqual([]);
  expect(migrated.markets.map(({ terms }) => terms)).toEqual([btc!.terms, avax!.terms]);
  // The scenario's terms are those that bound nothing.
  expect(migrated.markets[1]!.terms).toMatchObject({
    brackets: [{ upTo: 20_000_000_000_000, rate: 2_000_000 }],
    accountShareMax: 100_000_000,
    fundFeeShare: 0,
    fundTarget: 0,
  });
  expect(stateHash(migrated)).toBe(before);
  expect(priceHash(migrated)).toBe(priceHash(exchange));
});

test('PRC-6 a market of an older state gets the band of a new one: 5 % from a leverage of 50 on', () => {
  const narrow = 'market BTCUSDT priceBand 0.01';
  const wide = 'market AVAXUSDT maxLeverage 49 maintenanceMarginRate 0.02 priceBand 0.01';
  const { exchange } = play(createWorld(), `${narrow}\n${wide}`);
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(exchange), 4));
  expect(migrated.markets.map(({ terms }) => terms.priceBand)).toEqual([5_000_000, 10_000_000]);
});

test('FUND-1c a boundary that is due in an older state is recorded at rate 0', () => {
  const house = 'credit mm 10000\nhouse mm\nanna buy 0.1 @ 60000\nmm sell 0.1 @ 60000';
  const { exchange } = play(
    createWorld(),
    `market BTCUSDT fundingIntervalHours 1\ncredit anna 10000\nindex 60000\n${house}\nafter 399750`,
  );
  const { dues } = exchange.markets[0]!;
  expect(dues).toMatchObject({ funding: 1_760_000_400_000, fundingMs: 3_600_000 });
  expect(dues.fundingSum).toBeGreaterThan(0);
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(exchange), 4));
  expect(migrated.markets[0]!.dues).toEqual({ ...dues, fundingSum: 0 });
  expect(migrated.markets[0]!.shares.size).toBe(0);
});

const statusesOf = (exchange: Exchange): readonly string[] =>
  [...exchange.triggers.values()].map(({ id, status }) => `${id} ${status}`);

function tick(exchange: Exchange, ticks: number): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const observedAt = exchange.time;
  const price = { market: 0 as MarketId, source: 'sim', ticks: ticks as Ticks, observedAt };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
}

test('TRG-8 triggers of an older state wait and fire, and none of them was tried', () => {
  const { exchange } = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 10000
    credit ben 1000000
    index 60000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna trigger sell close STOP_MARKET stop 59000 id closes
    anna trigger buy 0.1 STOP_MARKET stop 61000 id opens
    change status HALT
    index 58900
    `,
  );
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(exchange), 4));
  expect(checkInvariants(migrated).failures).toEqual([]);
  expect(migrated.due.tried).toEqual({ triggers: [], next: 0 });
  expect(migrated.due.retrying).toMatchObject({ round: 1, rounds: [], waves: [] });
  // Prices of the last hour and funding begin anew (SYM-2c, FUND-1b); nothing else may differ.
  for (const one of [exchange, migrated]) tick(one, 590_000);
  expect(statusesOf(migrated)).toEqual(statusesOf(exchange));
});
