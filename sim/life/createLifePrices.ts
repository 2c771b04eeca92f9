// The external prices as index sources report them: a walk for every market with calm, storms and
// crashes, and three sources that follow it. Each source may freeze, stop, report nonsense, or lie.
// The walks continue whatever happens to the program. Each run draws how rough they are.

import type { FeedPrice, IndexFeed } from '../../src/feeds/indexFeed.ts';
import type { Prng } from '../../src/std/prng.ts';
import { formatScaled } from '../../src/units/decimal.ts';
import type { LifeMarket } from './ports.ts';
import type { Steps } from './steps.ts';

export const sourceNames = ['alpha', 'beta', 'gamma'] as const;

export type SourceMood = 'well' | 'frozen' | 'zero' | 'lying' | 'dead';

export type LifePrices = {
  readonly feeds: readonly IndexFeed[];
  /** Makes a source behave in this way for a while. */
  readonly afflict: (mood: Exclude<SourceMood, 'well'>, milliseconds: number) => void;
  /** Much time has passed at once: every price has moved. */
  readonly leap: () => void;
  /** Ends all faults of the sources. */
  readonly heal: () => void;
};

/**
 * One in how many a trend begins, and one in how many it is a strong one; the greatest size of a
 * leap.
 */
type Weather = { readonly trends: number; readonly strong: number; readonly leapMax: number };

const weathers: readonly Weather[] = [
  { trends: 60, strong: Number.POSITIVE_INFINITY, leapMax: 0.002 },
  { trends: 40, strong: 6, leapMax: 0.04 },
  { trends: 40, strong: 4, leapMax: 0.08 },
  { trends: 25, strong: 2, leapMax: 0.15 },
];

type Walk = { readonly market: LifeMarket; level: number; trend: number; trendUntil: number };

type Source = { mood: SourceMood; until: number; factor: number; frozen: Map<string, FeedPrice> };

const walkMs = 250;
const stepsMax = 40;

export function createLifePrices(
  steps: Steps,
  prng: Prng,
  markets: readonly LifeMarket[],
): LifePrices {
  const walks = new Map<string, Walk>();
  const weather = weathers[prng.below(weathers.length)]!;
  const sources = new Map<string, Source>(
    sourceNames.map((name) => [name, { mood: 'well', until: 0, factor: 1, frozen: new Map() }]),
  );
  let walkedTo = 0;
  const walk = (): void => {
    const missing = Math.min(stepsMax, Math.floor((steps.now() - walkedTo) / walkMs));
    if (steps.now() - walkedTo >= walkMs) walkedTo = steps.now();
    for (const market of markets) {
      let each = walks.get(market.symbol);
      if (each === undefined) {
        each = { market, level: market.priceTicks, trend: 0, trendUntil: 0 };
        walks.set(market.symbol, each);
      }
      for (let at = 0; at < missing; at += 1) step(prng, weather, steps.now(), each);
    }
  };
  const feeds = sourceNames.map((name): IndexFeed => {
    const source = sources.get(name)!;
    return {
      source: name,
      poll: (now) => {
        walk();
        if (steps.now() >= source.until) source.mood = 'well';
        return state(prng, name, source, now, walks);
      },
      close: async () => {},
    };
  });
  return {
    feeds,
    afflict: (mood, milliseconds) => {
      const source = sources.get(sourceNames[prng.below(sourceNames.length)]!)!;
      source.mood = mood;
      source.until = steps.now() + milliseconds;
      source.factor = [0.3, 0.8, 0.95, 1.06, 1.3, 10][prng.below(6)]!;
    },
    leap: () => {
      for (const walk of walks.values()) {
        walk.level *= 1 + (2 * prng.unit() - 1) * weather.leapMax;
      }
    },
    heal: () => {
      for (const source of sources.values()) source.until = 0;
    },
  };
}

/** A quarter of a second: a little noise, and sometimes some seconds of a trend. */
function step(prng: Prng, { trends, strong: rare }: Weather, now: number, walk: Walk): void {
  if (now >= walk.trendUntil) {
    walk.trend = 0;
    if (prng.below(trends) === 0) {
      const strong = prng.unit() * rare < 1;
      walk.trend = (prng.unit() - 0.5) * (strong ? 0.04 : 0.006);
      walk.trendUntil = now + 500 + prng.below(3000);
    }
  }
  const pull = 0.01 * (walk.market.priceTicks / walk.level - 1);
  const noise = (prng.unit() + prng.unit() - 1) * 0.001;
  walk.level = Math.max(20, walk.level * (1 + noise + walk.trend + pull));
}

function state(
  prng: Prng,
  name: string,
  source: Source,
  now: number,
  walks: ReadonlyMap<string, Walk>,
): FeedPrice[] {
  if (source.mood === 'dead') return [];
  const prices: FeedPrice[] = [];
  for (const { market, level } of walks.values()) {
    const { symbol } = market;
    const frozen = source.frozen.get(symbol);
    if (source.mood === 'frozen' && frozen !== undefined) {
      prices.push(frozen);
      continue;
    }
    const factor = source.mood === 'lying' ? source.factor : 1;
    const ticks = Math.max(1, Math.round(level * factor) + prng.below(3) - 1);
    const plain = formatScaled(ticks * market.tick.step, market.tick.decimals);
    const price = source.mood === 'zero' ? ['0', '-1', '', 'NaN'][prng.below(4)]! : plain;
    const stated = { symbol, source: name, price, observedAt: now };
    if (source.mood === 'well') source.frozen.set(symbol, stated);
    prices.push(stated);
  }
  return prices;
}
