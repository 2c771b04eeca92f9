// Derives a market's table of brackets (MAR-10, OPS-7): how much open interest of one side it may
// take at which leverage, so that a jump of the price costs the insurance fund at most a quarter of
// itself. Exact integers; it reads no state.

import { type Bracket, oneBracket } from '../../engine/bracket.ts';
import { lossOf, lossOne } from '../../engine/views/holeOfTable.ts';
import { leverageInBracket } from '../../engine/views/leverageInBracket.ts';
import { assert } from '../../std/assert.ts';
import { type Money, type Rate, rateOne } from '../../units/units.ts';

export type TableBounds = {
  /** What the insurance fund has. */
  readonly fund: Money;
  /** The jump of the price against which the table protects the fund, above 0. */
  readonly gap: Rate;
  /** The cap on the open interest of one side. */
  readonly cap: Money;
  readonly maxLeverage: number;
  /** The market's own maintenance rate: that of the first bracket. */
  readonly baseRate: Rate;
  /** The smallest order: a bracket that cannot hold one is left out. */
  readonly orderMin: Money;
};

/** A bracket, and how it was derived. */
export type BracketStep = Bracket & {
  /** Where it begins. */
  readonly floor: Money;
  readonly leverage: number;
  /** What the bracket may lose: its share of what the brackets before it have left. */
  readonly share: Money;
  /** How far that share would reach; undefined where the rest up to the cap needs no bound. */
  readonly reach: Money | undefined;
  /** What it loses, rounded up. */
  readonly loss: Money;
};

export type DerivedTable =
  | { readonly kind: 'derived'; readonly steps: readonly BracketStep[] }
  /** No leverage has a maintenance rate of which two thirds are as high as the gap. */
  | { readonly kind: 'gapTooLarge' }
  /** The fund cannot bear one smallest order at the base rate. */
  | { readonly kind: 'fundTooSmall'; readonly leverage: number };

/** The part of the fund that one market may cost: 1 / 4. */
export const fundParts = 4;

/** Leverages that people list, whose rates 1 / (2 × leverage) are short decimals. */
const listed = [125, 100, 50, 25, 20, 10, 5, 4, 2, 1] as const;

/** The first digits of bounds that people list. */
const figures = [10n, 12n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 80n] as const;

const rateAt = (leverage: number): Rate => Math.ceil(rateOne / (2 * leverage)) as Rate;

/**
 * The rates of the table in order: the base rate, then those of listed leverages up to the first at
 * which the gap costs nothing.
 */
function ratesOf({ gap, baseRate }: TableBounds): Rate[] | undefined {
  if (lossOf(gap, baseRate) === 0n) return [baseRate];
  const above = listed.map(rateAt).filter((rate) => rate > baseRate);
  const last = above.findIndex((rate) => lossOf(gap, rate) === 0n);
  return last === -1 ? undefined : [baseRate, ...above.slice(0, last + 1)];
}

/**
 * The steps from the base rate to the first listed rate at which the gap costs nothing. What a
 * bracket of width w and rate m loses in a gap g is w × (g − 2 / 3 × m) (MAR-10c). Each bracket may
 * lose an equal share of what is left of fund / 4; its bound is then rounded down to a figure that
 * people list, and what the rounding leaves goes to the brackets after it. The table ends early
 * where the rest up to the cap costs no more than is left.
 */
export function deriveBrackets(bounds: TableBounds): DerivedTable {
  const { fund, gap, cap, maxLeverage, baseRate, orderMin } = bounds;
  assert(fund >= 0 && gap > 0 && cap > 0 && baseRate > 0, 'a table needs amounts above zero');
  const rates = ratesOf(bounds);
  if (rates === undefined) return { kind: 'gapTooLarge' };
  const table = { brackets: oneBracket(baseRate, cap), maxLeverage };
  const leverageOf = (rate: Rate): number => leverageInBracket(table, rate);
  const steps: BracketStep[] = [];
  // In money × loss, so that nothing is rounded on the way.
  let left = (BigInt(fund) * lossOne) / BigInt(fundParts);
  let floor = 0n;
  const end = BigInt(cap);
  for (const [place, rate] of rates.entries()) {
    const risk = lossOf(gap, rate);
    const step = { rate, leverage: leverageOf(rate), floor: toMoney(floor) };
    const rest = (end - floor) * risk;
    if (rest <= left) {
      steps.push({
        ...step,
        upTo: cap,
        share: toMoney(left / lossOne),
        reach: undefined,
        loss: up(rest),
      });
      break;
    }
    const share = left / BigInt(rates.length - 1 - place);
    const reach = floor + share / risk;
    const upTo = listedBelow(reach);
    if (upTo - floor < BigInt(orderMin)) {
      if (place === 0) return { kind: 'fundTooSmall', leverage: leverageOf(rates.at(-1)!) };
      continue;
    }
    const loss = (upTo - floor) * risk;
    steps.push({
      ...step,
      upTo: toMoney(upTo),
      share: toMoney(share / lossOne),
      reach: toMoney(reach),
      loss: up(loss),
    });
    left -= loss;
    floor = upTo;
  }
  return { kind: 'derived', steps };
}

const toMoney = (amount: bigint): Money => Number(amount) as Money;

/** An amount of money × loss as money, rounded up. */
const up = (amount: bigint): Money => toMoney((amount + lossOne - 1n) / lossOne);

/** The largest listed figure that is at most the amount. */
function listedBelow(amount: bigint): bigint {
  if (amount < 10n) return amount;
  const power = 10n ** BigInt(amount.toString().length - 2);
  const figure = figures.findLast((each) => each * power <= amount)!;
  return figure * power;
}
