// What the danger sets leave out, and when those who changed are placed (clearing/danger.ts). That
// they miss nobody stands in invariants.test.ts, and what follows for traders in test/scenarios.

import { expect, test } from 'vitest';
import { positionIn } from '../../src/engine/account.ts';
import { openAt } from '../../src/engine/clearing/closeAt.ts';
import { endangeredIn, markHoldersDirty } from '../../src/engine/clearing/danger.ts';
import type { MarketRisk } from '../../src/engine/clearing/marketRisk.ts';
import type { Lots, MarketId, Ticks } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const sizesOf = ({ longs, shorts }: MarketRisk): number[] => [longs.size, shorts.size];

/** Anna (account 1) is long 0.1, Ben (2) short, with `money` each. */
const pair = (money: number): string => `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna ${money}
  credit ben ${money}
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

test('LIQ-1 who owns more than the mark can cost stands in no set until it does not', () => {
  const { exchange } = play(createWorld(), pair(100_000));
  const { risk } = exchange.markets[0]!;
  expect(sizesOf(risk)).toEqual([0, 0]);
  expect(sizesOf(play(createWorld(), pair(5000)).exchange.markets[0]!.risk)).toEqual([1, 1]);
});

test('LIQ-1 LIQ-3 when the mark has doubled every short is looked at, but never the fund', () => {
  const { exchange } = play(createWorld(), pair(100_000));
  const market = exchange.markets[0]!;
  const own = positionIn(exchange.accounts[0]!, 0 as MarketId);
  openAt(exchange, own, -5 as Lots, market.prices.mark);
  const found = (mark: number): number[] => {
    market.prices.mark = mark as Ticks;
    return endangeredIn(market).map(({ account }) => account);
  };
  expect(found(1_199_999)).toEqual([]);
  expect(found(1_200_000)).toEqual([2]);
  expect(found(2_399_999)).toEqual([]);
});

test('LIQ-1 a command places no more accounts than it may spend, the next tick all others', () => {
  const names = Array.from({ length: 40 }, (_, i) => `account${i}`);
  const opened = names.map((name, i) => `${name} ${i % 2 === 0 ? 'buy' : 'sell'} 0.1 @ 60000`);
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    ${names.map((name) => `credit ${name} 5000`).join('\n')}
    index 60000
    ${opened.join('\n')}
    `,
  );
  const { exchange } = world;
  const { risk } = exchange.markets[0]!;
  expect(sizesOf(risk)).toEqual([20, 20]);
  markHoldersDirty(exchange, exchange.markets[0]!);
  play(world, 'account0 buy 0.001 @ 50000');
  expect(exchange.dirty).toHaveLength(8);
  play(world, 'index 60000');
  expect(exchange.dirty).toEqual([]);
  expect(sizesOf(risk)).toEqual([20, 20]);
});
