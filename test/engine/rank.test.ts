// The order of deleveraging is decided by doubles where they are exact enough, and by whole numbers
// otherwise (LIQ-4). Goal: both together give the exact order. Method: drawn pairs, most of them
// equal or a unit apart, compared by fractions of bigints.

import { expect, test } from 'vitest';
import { compareRanks, type Rank } from '../../src/engine/clearing/rank.ts';
import type { Position } from '../../src/engine/position.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { Money } from '../../src/units/units.ts';

type Figures = Record<'unrealized' | 'notional' | 'entry' | 'equity' | 'lots' | 'account', number>;

const drawSize = (prng: Prng): number => prng.below(1000) * 10 ** prng.below(9) + prng.below(3);

function draw(prng: Prng): Figures {
  const sign = prng.below(2) === 0 ? 1 : -1;
  return {
    unrealized: sign * drawSize(prng),
    notional: 1 + drawSize(prng),
    entry: prng.below(8) === 0 ? prng.below(2) : drawSize(prng),
    equity: prng.below(8) === 0 ? prng.below(3) - 1 : drawSize(prng),
    lots: 1 + prng.below(3),
    account: 1 + prng.below(5),
  };
}

/** Equal to the other: PnL and one divisor are multiplied by one factor, or differ by a unit. */
function drawBeside(prng: Prng, other: Figures): Figures {
  const times = 1 + prng.below(9);
  const ofEntry = prng.below(2) === 0;
  const equity = ofEntry ? other.equity : other.equity * times;
  return {
    ...other,
    unrealized: other.unrealized * times + (prng.below(3) === 0 ? prng.below(3) - 1 : 0),
    entry: ofEntry ? other.entry * times : other.entry,
    equity: prng.below(8) === 0 ? 0 : equity,
    lots: 1 + prng.below(3),
    account: 1 + prng.below(5),
  };
}

function rankFrom({ lots, account, unrealized, notional, entry, equity }: Figures): Rank {
  const estimate = (unrealized / Math.max(1, entry)) * (notional / Math.max(1, equity));
  const position = { lots: -lots, account } as unknown as Position;
  const money = (value: number): Money => value as Money;
  return {
    position,
    unrealized: money(unrealized),
    notional: money(notional),
    entry: money(entry),
    equity: money(equity),
    estimate,
  };
}

/** PnL / |entry| × notional / equity as a fraction, an entry of nothing being one unit. */
function exactOrder(a: Figures, b: Figures): number {
  const bySize = b.lots - a.lots || a.account - b.account;
  if (a.equity <= 0 && b.equity <= 0) return bySize;
  if (a.equity <= 0) return 1;
  if (b.equity <= 0) return -1;
  const [ofA, ofB] = [
    [a, b],
    [b, a],
  ].map(([own, other]) => {
    const above = BigInt(own!.unrealized) * BigInt(own!.notional);
    return above * BigInt(other!.entry === 0 ? 1 : other!.entry) * BigInt(other!.equity);
  });
  if (ofA === ofB) return bySize;
  return ofA! > ofB! ? -1 : 1;
}

test('LIQ-4 ranks are compared exactly, even where doubles are equal', () => {
  const prng = createPrng(4);
  for (let round = 0; round < 10_000; round += 1) {
    const a = draw(prng);
    const b = prng.below(4) === 0 ? draw(prng) : drawBeside(prng, a);
    const expected = Math.sign(exactOrder(a, b));
    const reported = Math.sign(compareRanks(rankFrom(a), rankFrom(b)));
    if (reported !== expected) expect.fail(JSON.stringify({ a, b, reported, expected }));
  }
});
