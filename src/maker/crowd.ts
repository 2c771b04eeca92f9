// The crowd of the demo: a few ordinary clients that trade in every market, so that a visitor sees
// a tape, candles and funding. crowdAct.ts decides what they do. They hold no state that matters:
// they read positions anew, and a countdown cancels the orders that they leave resting.

import type { Clock } from '../std/clock.ts';
import { createPrng, type Prng, seedOf } from '../std/prng.ts';
import type { Scheduler } from '../std/scheduler.ts';
import {
  type Lots,
  type Money,
  noLots,
  type Rate,
  rateOne,
  type Ticks,
  usdt,
} from '../units/units.ts';
import { createDesk, type DeskLimits, type Report } from './createDesk.ts';
import { type CrowdAct, type CrowdParameters, crowdAct } from './crowdAct.ts';
import type { MakerClient } from './makerClient.ts';
import {
  indexPricesOf,
  type MakerMarket,
  marketsOf,
  openInterestOf,
  positionsOf,
} from './makerRecords.ts';
import {
  askExchange,
  type MakerDesk,
  placeQuotes,
  setCountdown,
  takeQuote,
} from './makerRequests.ts';
import { createRounds, guarded, type Rounds } from './rounds.ts';

export type CrowdOptions = {
  /**
   * One client for each member, two at least. Members at even places are long, the others short.
   */
  readonly clients: readonly MakerClient[];
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly report: Report;
  readonly seed: number;
  readonly parameters: CrowdParameters;
};

/**
 * The demo's crowd: positions of 300,000 USDT, trades of 30 to 2,030 USDT, and an imbalance of the
 * open interest of at most 1 %.
 */
export const demoCrowd: CrowdParameters = {
  base: (300_000 * usdt) as Money,
  openMax: (30_000 * usdt) as Money,
  counterMax: (20_000 * usdt) as Money,
  leanMax: (rateOne / 100) as Rate,
  sizeMin: (20 * usdt) as Money,
  sizeMore: (2000 * usdt) as Money,
  reach: ((rateOne * 10) / 10_000) as Rate,
  inside: ((rateOne * 2) / 10_000) as Rate,
};

/** Half of the limits of a key of the tier `standard`. */
const memberLimits: DeskLimits = { ordersPer10s: 25, ordersPerMinute: 100, weightPerMinute: 600 };

const beatMs = 1000;
/** A market sees an act in this many of ten beats. */
const actsOfTen = 6;
/** The maximum age of the markets, and of the positions with open interest. */
const marketsAgeMaxMs = 60_000;
const figuresAgeMaxMs = 10_000;
/** A resting order is cancelled after this time at most, and after half of it at least. */
const restMs = 20_000;
const troublesMax = 100;

type Figures = { longs: Lots; shorts: Lots; readonly positions: Lots[] };

type State = {
  readonly options: CrowdOptions;
  readonly desks: readonly MakerDesk[];
  readonly chances: Map<string, Prng>;
  readonly troubles: Set<string>;
  markets: readonly MakerMarket[];
  marketsAt: number;
  readonly figures: Map<string, Figures>;
  /** When the countdown of a member on a market was last started. */
  readonly countdowns: Map<string, number>;
  figuresAt: number;
};

const never = Number.NEGATIVE_INFINITY;

/** A crowd that does nothing before `start`. */
export function createCrowd(options: CrowdOptions): Rounds {
  const state = createState(options);
  return createRounds(options.scheduler, beatMs, () =>
    guarded(state.desks[0]!, 'beat', () => runBeat(state)),
  );
}

function createState(options: CrowdOptions): State {
  const { clients, clock, report } = options;
  const troubles = new Set<string>();
  const trouble = (key: string, message: string): void => {
    if (troubles.has(key) || troubles.size >= troublesMax) return;
    troubles.add(key);
    report(`the demo's crowd: ${message}`);
  };
  const lookAgain = (): void => {
    state.marketsAt = never;
  };
  const desks = clients.map((client, member) => {
    const prefix = `crowd-${member + 1}-`;
    return createDesk({ client, clock, limits: memberLimits, prefix, lookAgain, trouble });
  });
  const state: State = {
    options,
    desks,
    chances: new Map(),
    troubles,
    markets: [],
    marketsAt: never,
    figures: new Map(),
    countdowns: new Map(),
    figuresAt: never,
  };
  return state;
}

async function runBeat(state: State): Promise<void> {
  const now = state.options.clock.now();
  if (Math.abs(now - state.marketsAt) >= marketsAgeMaxMs) {
    state.markets = marketsOf(await clientOf(state).fapi.getExchangeInfo());
    state.marketsAt = now;
  }
  if (Math.abs(now - state.figuresAt) >= figuresAgeMaxMs) {
    await readFigures(state);
    state.figuresAt = now;
  }
  const prices = indexPricesOf(await clientOf(state).fapi.getPremiumIndex(), state.markets);
  for (const market of state.markets) {
    const chance = chanceOf(state, market.symbol);
    const acts = chance.below(10) < actsOfTen;
    const index = prices.get(market.symbol);
    if (!acts || !market.trading || index === undefined) continue;
    await guarded(state.desks[0]!, market.symbol, () => actOn(state, market, { index, chance }));
  }
}

/** The client for public requests, which use no limit of any member's key. */
const clientOf = ({ desks }: Pick<State, 'desks'>): MakerClient => desks[0]!.client;

/**
 * Each market has its own random numbers, so that listing another market does not change what it
 * sees.
 */
function chanceOf({ chances, options }: State, symbol: string): Prng {
  const known = chances.get(symbol);
  if (known !== undefined) return known;
  const made = createPrng(seedOf(options.seed, `crowd ${symbol}`));
  chances.set(symbol, made);
  return made;
}

async function readFigures({ desks, markets, figures }: State): Promise<void> {
  const held: ReadonlyMap<string, Lots>[] = [];
  for (const desk of desks) {
    const body = await askExchange(desk, { weight: 5 }, ({ fapi }) => fapi.getPositionRiskV2());
    held.push(positionsOf(body, markets));
  }
  for (const market of markets) {
    const { symbol } = market;
    const body = await clientOf({ desks }).native.getOpenInterest({ symbol });
    const sides = openInterestOf(body, market);
    const positions = held.map((own) => own.get(market.symbol) ?? noLots);
    figures.set(market.symbol, { ...sides, positions });
  }
}

async function actOn(
  state: State,
  market: MakerMarket,
  { index, chance }: { readonly index: Ticks; readonly chance: Prng },
): Promise<void> {
  const known = state.figures.get(market.symbol);
  if (known === undefined) return;
  const act = crowdAct({ market, index, ...known, parameters: state.options.parameters }, chance);
  if (act === undefined) return;
  const desk = state.desks[act.member]!;
  if (act.kind === 'take') {
    count(known, act, await takeQuote(desk, market, act.quote));
    return;
  }
  await restartCountdown(state, market, act.member);
  await placeQuotes(desk, market, [act.quote]);
  if (act.kind === 'rest') return;
  const { ticks, lots } = act.quote;
  const opposite = { side: 'SELL', ticks, lots } as const;
  const got = await takeQuote(state.desks[act.taker]!, market, opposite);
  count(known, act, got);
  count(known, { member: act.taker, quote: opposite }, got);
}

async function restartCountdown(state: State, market: MakerMarket, member: number): Promise<void> {
  const { countdowns, desks, options } = state;
  const key = `${member} ${market.symbol}`;
  const now = options.clock.now();
  const last = countdowns.get(key) ?? never;
  if (Math.abs(now - last) < restMs / 2) return;
  await setCountdown(desks[member]!, market, restMs);
  countdowns.set(key, now);
}

/**
 * The figures until they are read again: the member that took has the lots, and the house market
 * maker has the other side.
 */
function count(figures: Figures, { member, quote }: Pick<CrowdAct, 'member' | 'quote'>, got: Lots) {
  const before = figures.positions[member]!;
  const after = before + (quote.side === 'BUY' ? got : -got);
  figures.positions[member] = after as Lots;
  figures.longs = (figures.longs + Math.max(0, after) - Math.max(0, before)) as Lots;
  figures.shorts = (figures.shorts + Math.max(0, -after) - Math.max(0, -before)) as Lots;
}
