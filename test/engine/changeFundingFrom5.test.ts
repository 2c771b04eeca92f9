// Goal: a state of format 5 goes on, and no account pays more funding than by format 5, nor more
// than the cap of the rate. Method: the released engine itself trades; its sections are migrated,
// and both engines go on to the boundary.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import { type Engine, engine } from '../../src/engine/engine.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import type { MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { keepReleasedEngine } from '../fixtures/releasedEngine.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { streamTerms } from './commandStream.ts';

const hour = 3_600_000;
/** A midnight. */
const day = 1_760_054_400_000;
const market = 0 as MarketId;

const directory = createTemporaryDirectory();
let five: Engine;
beforeAll(async () => {
  const { engines, hash } = await keepReleasedEngine(directory.path, 5);
  five = engines.of(hash);
});
afterAll(() => directory[Symbol.dispose]());

type Deployment = { readonly engine: Engine; readonly exchange: Exchange };

function apply({ engine, exchange }: Deployment, command: Command): void {
  expect(engine.applyCommand(exchange, command, 0 as Time)).toMatchObject({ kind: 'accepted' });
}

/**
 * Three prices a second apart, the last one at that time: after a pause they confirm each other.
 */
function priceUntil(deployment: Deployment, time: number): void {
  for (const before of [2000, 1000, 0]) {
    deployment.engine.beginBatch(deployment.exchange, (time - before) as Time);
    const observedAt = (time - before) as Time;
    const price = { market, source: 'one', ticks: 50_000 as Ticks, observedAt };
    apply(deployment, { kind: 'indexTick', prices: [price] });
  }
}

/** Anna long and the house short, or back: 10 BTC at 5,000. */
function trade(deployment: Deployment, side: Side): void {
  const order = { market, lots: 10_000, ticks: 50_000 };
  apply(deployment, orderCommand({ ...order, account: 2, side: -side as Side }));
  apply(deployment, orderCommand({ ...order, account: 1, side }));
}

/** By the released engine, listed at midnight. */
function begin(terms: Partial<MarketTerms>): Deployment {
  const deployment = { engine: five, exchange: five.createExchange(43113) };
  five.beginBatch(deployment.exchange, (day - 3000) as Time);
  apply(deployment, {
    kind: 'listMarket',
    symbol: 'BTCUSDT',
    baseAsset: 'BTC',
    tick: { decimals: 1, step: 1 },
    lot: { decimals: 3, step: 1 },
    terms: {
      ...streamTerms,
      indexSources: [{ source: 'one', weight: 1 }],
      openInterestCap: 1_000_000_000_000 as Money,
      ...terms,
    },
    status: 'TRADING',
  });
  for (const digit of ['a', 'b']) {
    const address = `0x${digit.repeat(40)}`;
    const amount = 100_000_000_000 as Money;
    apply(deployment, { kind: 'credit', address, amount, reference: digit });
  }
  const address = `0x${'b'.repeat(40)}`;
  apply(deployment, { kind: 'flagAccount', address, house: true, feeTier: undefined });
  priceUntil(deployment, day);
  return deployment;
}

const change = (deployment: Deployment, terms: Partial<MarketTerms>): void =>
  apply(deployment, { kind: 'changeMarket', market, terms, status: undefined });

function migrated({ exchange }: Deployment): Deployment {
  const sections: Buffer[] = [];
  five.encodeSnapshot(exchange, (section) => sections.push(section));
  const state = engine.decodeSnapshot(engine.migrateSnapshot(sections, five.snapshotFormat));
  expect(engine.checkInvariants(state).failures).toEqual([]);
  return { engine, exchange: state };
}

/** What Anna pays at the price of that time, of 50,000 USDT; by both engines. */
function paidAt(deployment: Deployment, time: number): readonly [before: number, after: number] {
  const [before, after] = [deployment, migrated(deployment)].map((each) => {
    each.exchange.events = [];
    priceUntil(each, time);
    const paid = each.exchange.events.filter(
      (event) => event.kind === 'fundingPaid' && event.account === 1,
    );
    return paid.reduce((sum, event) => sum - (event as { amount: number }).amount, 0) / 1_000_000;
  });
  return [before!, after!];
}

test('FUND-1c an interval with open interest all the time is paid as by format 5', () => {
  const deployment = begin({ fundingIntervalHours: 8 });
  trade(deployment, 1);
  priceUntil(deployment, day + 3 * hour);
  expect(paidAt(deployment, day + 8 * hour)).toEqual([500, 500]);
});

test('FUND-1c an interval that was nearly empty is paid by its length', () => {
  const deployment = begin({ fundingIntervalHours: 8 });
  priceUntil(deployment, day + 8 * hour - 18_000);
  trade(deployment, 1);
  priceUntil(deployment, day + 8 * hour - 9_000);
  // 18 of 28,800 s.
  expect(paidAt(deployment, day + 8 * hour)).toEqual([500, 0.3125]);
});

test('FUND-1c a boundary that is due is paid by the length of its interval', () => {
  const deployment = begin({ fundingIntervalHours: 8 });
  priceUntil(deployment, day + 6 * hour);
  trade(deployment, 1);
  five.beginBatch(deployment.exchange, (day + 8 * hour) as Time);
  expect(deployment.exchange.markets[0]!.dues.fundingMs).toBe(2 * hour);
  expect(paidAt(deployment, day + 8 * hour + 30_000)).toEqual([500, 125]);
});

test('FUND-1c OPS-2 an interval that was shortened pays at most the cap', () => {
  const deployment = begin({ fundingIntervalHours: 8 });
  trade(deployment, 1);
  priceUntil(deployment, day + 5.5 * hour);
  change(deployment, { fundingIntervalHours: 1 });
  // Six hours at the cap, of an interval whose terms say one.
  expect(paidAt(deployment, day + 6 * hour)).toEqual([500, 500]);
});

test('FUND-1c OPS-2 a boundary that is due keeps the time of its interval when the length changes', () => {
  const deployment = begin({ fundingIntervalHours: 8 });
  trade(deployment, 1);
  priceUntil(deployment, day + 7.5 * hour);
  five.beginBatch(deployment.exchange, (day + 8 * hour) as Time);
  change(deployment, { fundingIntervalHours: 1 });
  expect(paidAt(deployment, day + 8 * hour + 30_000)).toEqual([500, 500]);
});
