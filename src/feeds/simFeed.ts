// The simulated index feed: correlated random walks with clustering volatility, calm periods and
// bursts. They are a function of seed and virtual time alone. The walk uses floats; the result is
// text on the market's grid. It uses only + − × ÷ and square roots, which every machine computes
// alike.

import { assert } from '../std/assert.ts';
import { createPrng, type Prng, seedOf } from '../std/prng.ts';
import { formatScaled } from '../units/decimal.ts';
import type { FeedPrice, IndexFeed, KeptMarket } from './indexFeed.ts';
import { indexTicksMax, roundToTicks } from './roundToTicks.ts';

/** A symbol of the simulation. */
export type SimSymbol = KeptMarket & {
  /** The level around which the price moves, decimal text. */
  readonly anchor: string;
  /** The start of the walk: the last index of an earlier run, else the anchor. */
  readonly start: string;
  /** Standard deviation of a year in calm periods, as a fraction: 0.5 is 50 %. */
  readonly volatility: number;
  /** Correlation with the common factor, 0 to 1. */
  readonly correlation: number;
};

export type SimFeedOptions = {
  readonly seed: number;
  readonly symbols: readonly SimSymbol[];
};

const stepMs = 250;
const stepsPerYear = (365 * 86_400_000) / stepMs;
/** A longer pause (a sleeping machine) is skipped. */
const stepsMax = (3_600_000 / stepMs) | 0;
/** The pull towards the anchor at each step: after about a week half of a deviation is gone. */
const reversion = 0.69 / ((7 * 86_400_000) / stepMs);
/** GARCH(1,1): the shares of a shock and of the present variance in the next variance. */
const shockShare = 0.02;
const varianceShare = 0.97;
/** Bursts come after ten minutes of calm on average, last 40 s, at five times the volatility. */
const burstChance = stepMs / 600_000;
const calmChance = stepMs / 40_000;
const burstVariance = 25;
/** The bound on the variance, as a multiple of the calm variance: tails are fat, but finite. */
const varianceMax = 100;

/** A source of standard normal shocks whose variance clusters; 1 is calm. */
type Factor = { readonly prng: Prng; variance: number };

type Walk = {
  readonly symbol: SimSymbol;
  readonly own: Factor;
  readonly anchorTicks: number;
  /** Standard deviation of one step in calm periods. */
  readonly deviation: number;
  /** The price in ticks, with its fraction. */
  level: number;
};

/** A feed whose walk begins at its first poll. Faults when a start or an anchor is not a price. */
export function createSimFeed(options: SimFeedOptions): IndexFeed {
  const source = 'sim';
  const regime = { prng: createPrng(options.seed ^ 0x51ed27), burst: false };
  const common: Factor = { prng: createPrng(options.seed), variance: 1 };
  const walks = options.symbols.map((symbol) => createWalk(options.seed, symbol));
  let walkedTo: number | undefined;
  return {
    source,
    poll: (now) => {
      walkedTo ??= now;
      const missing = Math.floor((now - walkedTo) / stepMs);
      for (let i = Math.min(missing, stepsMax); i > 0; i -= 1) step(regime, common, walks);
      walkedTo += missing * stepMs;
      return walks.map((walk) => stated(walk, source, now));
    },
    close: async () => {},
  };
}

function createWalk(seed: number, symbol: SimSymbol): Walk {
  const anchorTicks = roundToTicks(symbol.anchor, symbol.tick);
  const level = roundToTicks(symbol.start, symbol.tick);
  assert(anchorTicks !== undefined && level !== undefined, 'a simulated symbol needs its prices');
  // Each symbol has its own random stream, so that listing another symbol does not change its path.
  const own = createPrng(seedOf(seed, symbol.symbol));
  return {
    symbol,
    own: { prng: own, variance: 1 },
    anchorTicks,
    deviation: symbol.volatility * Math.sqrt(1 / stepsPerYear),
    level,
  };
}

function step(
  regime: { readonly prng: Prng; burst: boolean },
  common: Factor,
  walks: readonly Walk[],
): void {
  const chance = regime.burst ? calmChance : burstChance;
  if (regime.prng.unit() < chance) regime.burst = !regime.burst;
  const target = regime.burst ? burstVariance : 1;
  const shared = shock(common, target);
  for (const walk of walks) {
    const { correlation } = walk.symbol;
    const own = shock(walk.own, target);
    const mixed = correlation * shared + Math.sqrt(1 - correlation * correlation) * own;
    const pull = reversion * (walk.anchorTicks / walk.level - 1);
    const level = walk.level * (1 + walk.deviation * mixed + pull);
    walk.level = Math.min(Math.max(level, 1), indexTicksMax);
  }
}

/** next variance = (1 − a − b) × target + a × shock² + b × variance */
function shock(factor: Factor, target: number): number {
  const value = Math.sqrt(factor.variance) * normal(factor.prng);
  const inherited = shockShare * value * value + varianceShare * factor.variance;
  const next = (1 - shockShare - varianceShare) * target + inherited;
  factor.variance = Math.min(next, varianceMax);
  return value;
}

/** Nearly normal, mean 0, variance 1: the sum of twelve uniform numbers, without logarithms. */
function normal(prng: Prng): number {
  let sum = -6;
  for (let i = 0; i < 12; i += 1) sum += prng.unit();
  return sum;
}

function stated(walk: Walk, source: string, now: number): FeedPrice {
  const { symbol, tick } = walk.symbol;
  const price = formatScaled(Math.round(walk.level) * tick.step, tick.decimals);
  return { symbol, source, price, observedAt: now };
}
