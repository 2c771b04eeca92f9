// Goal: an interval of funding that stays open for days, because timers of accounts use up the work
// of a batch (ORD-15), ends no process and ends at its boundary. Method: 30,000 nonces that expire
// while the exchange is away for three days.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { schedule } from '../../src/engine/timers.ts';
import { fundingRateOf } from '../../src/engine/views/fundingRateOf.ts';
import type { AccountId, MarketId, Ticks, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const dayMs = 86_400_000;

test('FUND-1b ORD-15 an interval whose boundary comes late ends at its boundary', () => {
  const { exchange } = play(
    createWorld(),
    `
    market BTCUSDT indexSources manual:1
    credit anna 125
    credit ben 10000
    house ben
    index 60000 source manual
    anna leverage 50
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    `,
  );
  const market = exchange.markets[0]!;
  const owner = { account: 1 as AccountId, market: 0 as MarketId };
  for (let i = 0; i < 30_000; i += 1) {
    const nonce = `n${i}`;
    exchange.nonces.set(nonce, exchange.time);
    schedule(exchange, { time: exchange.time, id: 1_000_000 + i, kind: 'nonce', ...owner, nonce });
  }
  beginBatch(exchange, (exchange.time + 3 * dayMs) as Time);
  expect(exchange.nonces.size).toBeGreaterThan(0);
  // One boundary has run; the next one ends the interval, days ago.
  expect(exchange.time - market.dues.fundingEnd).toBeGreaterThan(2 * dayMs);
  expect(fundingRateOf(market, exchange.time)).toBe(1_000_000);
  const source = 'manual';
  const price = { market: market.id, source, ticks: 580_000 as Ticks, observedAt: exchange.time };
  // Anna is liquidated: open interest changes.
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
  expect(market.figures.longLots).toBe(0);
  while (exchange.nonces.size > 0) beginBatch(exchange, (exchange.time + 1000) as Time);
  beginBatch(exchange, (exchange.time + 1000) as Time);
  expect(market.dues.fundingEnd).toBeGreaterThan(exchange.time);
  expect(checkInvariants(exchange).failures).toEqual([]);
});
