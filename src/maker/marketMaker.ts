// The house market maker of the demo: an ordinary client that keeps a ladder of post-only quotes
// around the index of each market, and takes orders of others beyond its fair price. It holds no
// state that matters: every round begins with what the exchange reports, so it survives errors and
// restarts. quoteLadder.ts decides which quotes it wants, reconcileQuotes.ts how to reach them.

import type { Clock } from '../std/clock.ts';
import type { Scheduler } from '../std/scheduler.ts';
import { mulDivFloor } from '../units/mulDiv.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks, usdt } from '../units/units.ts';
import { createDesk, type DeskLimits, type Report } from './createDesk.ts';
import type { MakerClient } from './makerClient.ts';
import {
  bestPricesOf,
  indexPricesOf,
  type MakerMarket,
  marketsOf,
  positionsOf,
  withBreaker,
} from './makerRecords.ts';
import {
  amendQuotes,
  askExchange,
  cancelQuotes,
  type MakerDesk,
  placeQuotes,
  readStanding,
  setCountdown,
  takeQuote,
} from './makerRequests.ts';
import {
  type BestOfOthers,
  type LadderParameters,
  type Quote,
  type QuoteSide,
  quoteLadder,
  takeOf,
} from './quoteLadder.ts';
import { reconcileQuotes, type StandingQuote } from './reconcileQuotes.ts';
import { createRounds, guarded, type Rounds } from './rounds.ts';

export type MakerLimits = DeskLimits;

export type MarketMakerOptions = {
  readonly client: MakerClient;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly report: Report;
  /** How much it may use of its key's limits. */
  readonly limits: MakerLimits;
  readonly ladder: LadderParameters;
  /** From the end of one round to the beginning of the next. */
  readonly refreshMs: number;
  /** After this time without a request the exchange cancels its orders. */
  readonly countdownMs: number;
};

/** Four fifths of the limits of a key of the tier `house`. */
export const houseMakerLimits: MakerLimits = {
  ordersPer10s: 160,
  ordersPerMinute: 960,
  weightPerMinute: 4800,
};

/**
 * The demo's ladder: from 3 to 189 basis points from the index, 5,000 USDT for each quote, at most
 * 50,000 taken in a round, at most 300,000 held.
 */
export const demoLadder: LadderParameters = {
  levels: 20,
  halfSpread: ((rateOne * 3) / 10_000) as Rate,
  step: ((rateOne * 3) / 10_000) as Rate,
  widening: ((rateOne * 0.75) / 10_000) as Rate,
  size: (5000 * usdt) as Money,
  takeMax: (50_000 * usdt) as Money,
  inventoryMax: (300_000 * usdt) as Money,
  skew: ((rateOne * 20) / 10_000) as Rate,
};

/** The demo's rhythm: `refreshMs` and `countdownMs`. */
export const demoRefreshMs = 2000;
export const demoCountdownMs = 15_000;

const clientIdPrefix = 'house-mm-';
/** The maximum age of the list of markets and their statuses. */
const marketsAgeMaxMs = 5000;
/** After this time without a problem, the same problem is reported again. */
const calmMs = 60_000;
const sweepsMax = 5;
const troublesMax = 100;

type Maker = {
  readonly options: MarketMakerOptions;
  readonly desk: MakerDesk;
  readonly troubles: Set<string>;
  troubleAt: number;
  markets: readonly MakerMarket[];
  marketsAt: number;
  /** Markets on which the orders of earlier runs have been cancelled. */
  readonly swept: Set<string>;
  /** When the countdown of a market was last started. */
  readonly countdowns: Map<string, number>;
};

/** A maker that does nothing before `start`; `stop` also cancels all its orders. */
export function createMarketMaker(options: MarketMakerOptions): Rounds {
  const maker = createMaker(options);
  const rounds = createRounds(options.scheduler, options.refreshMs, () =>
    guarded(maker.desk, 'round', () => runRound(maker)),
  );
  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      for (const market of maker.markets) {
        await guarded(maker.desk, `stop ${market.symbol}`, async () => {
          await sweep(maker, market);
          if (maker.countdowns.has(market.symbol)) await setCountdown(maker.desk, market, 0);
        });
      }
    },
  };
}

function createMaker(options: MarketMakerOptions): Maker {
  const { client, clock, limits, report } = options;
  const troubles = new Set<string>();
  const maker: Maker = {
    options,
    troubles,
    troubleAt: 0,
    markets: [],
    marketsAt: Number.NEGATIVE_INFINITY,
    swept: new Set(),
    countdowns: new Map(),
    desk: createDesk({
      client,
      clock,
      limits,
      prefix: clientIdPrefix,
      lookAgain: () => {
        maker.marketsAt = Number.NEGATIVE_INFINITY;
      },
      trouble: (key, message) => {
        maker.troubleAt = clock.now();
        if (troubles.has(key) || troubles.size >= troublesMax) return;
        troubles.add(key);
        report(`the market maker: ${message}`);
      },
    }),
  };
  return maker;
}

async function runRound(maker: Maker): Promise<void> {
  const { desk, options } = maker;
  forgetTroubles(maker);
  await refreshMarkets(maker);
  // Orders are read before positions. A fill in between then counts twice rather than not at all,
  // so the bound of the inventory holds.
  const standing = new Map<MakerMarket, readonly StandingQuote[]>();
  for (const market of maker.markets) {
    await guarded(desk, market.symbol, async () => {
      if (!maker.swept.has(market.symbol)) await sweep(maker, market);
      maker.swept.add(market.symbol);
      standing.set(market, await readStanding(desk, market));
    });
  }
  if (standing.size === 0) return;
  const { fapi } = desk.client;
  const body = await askExchange(desk, { weight: 5 }, () => fapi.getPositionRiskV2());
  const positions = positionsOf(body, maker.markets);
  const premium = await fapi.getPremiumIndex();
  const prices = indexPricesOf(premium, maker.markets);
  const tickers = await fapi.getBookTicker();
  const best = bestPricesOf(tickers, maker.markets);
  for (const [market, orders] of standing) {
    await guarded(desk, market.symbol, async () => {
      const index = market.resting ? prices.get(market.symbol) : undefined;
      const inventory = positions.get(market.symbol) ?? (0 as Lots);
      const others = othersOf(best.get(market.symbol), orders);
      const work = { market, standing: orders, index, inventory, others, ladder: options.ladder };
      await refreshQuotes(maker, work);
    });
  }
}

async function refreshMarkets(maker: Maker): Promise<void> {
  const now = maker.options.clock.now();
  if (now - maker.marketsAt < marketsAgeMaxMs && now >= maker.marketsAt) return;
  const { fapi, native } = maker.desk.client;
  const markets = marketsOf(await fapi.getExchangeInfo());
  const open = markets.every(({ trading }) => trading);
  maker.markets = open ? markets : withBreaker(markets, await native.listNativeMarkets());
  maker.marketsAt = now;
}

type MarketWork = {
  readonly market: MakerMarket;
  readonly standing: readonly StandingQuote[];
  /** undefined: the maker may not quote now. */
  readonly index: Ticks | undefined;
  readonly inventory: Lots;
  readonly others: BestOfOthers | undefined;
  readonly ladder: LadderParameters;
};

/** The best prices of the book that are better than the maker's own. */
function othersOf(
  best: BestOfOthers | undefined,
  standing: readonly StandingQuote[],
): BestOfOthers | undefined {
  if (best === undefined) return undefined;
  const none = 0 as Ticks;
  const own = (side: QuoteSide) =>
    standing.filter((quote) => quote.side === side).map(({ ticks }) => ticks);
  const bid = Math.max(0, ...own('BUY')) < best.bid ? best.bid : none;
  const ask = best.ask < Math.min(Number.MAX_SAFE_INTEGER, ...own('SELL')) ? best.ask : none;
  return { bid, ask };
}

async function refreshQuotes(maker: Maker, work: MarketWork): Promise<void> {
  const { market, standing, index, ladder } = work;
  const { desk } = maker;
  const wanted = index === undefined ? [] : await wantedOf(maker, work, index);
  // Less than half of the half-spread and half of a step. So a quote that stays never meets one
  // that is placed, and no two quotes have the same price. The tolerance grows for quotes far from
  // the best, so they move less often.
  const toleranceAt = (rank: number): number =>
    mulDivFloor(index ?? 0, ladder.halfSpread + rank * ladder.widening, 3 * rateOne);
  const plan = reconcileQuotes(wanted, standing, toleranceAt);
  if (wanted.length > 0) await restartCountdown(maker, market);
  const cancelled = await cancelQuotes(desk, market, plan.cancels);
  const amended = await amendQuotes(desk, market, plan.amends);
  // An order that was gone or had filled has changed the position; the next round reads it.
  if (cancelled && amended) await placeQuotes(desk, market, plan.places);
}

/** The ladder after taking the orders of others that lie beyond its fair price. */
async function wantedOf(
  maker: Maker,
  { market, standing, inventory, others, ladder }: MarketWork,
  index: Ticks,
): Promise<readonly Quote[]> {
  const { grain, notionalMin } = market;
  const input = { index, inventory, grain, notionalMin, parameters: ladder, others };
  const take = market.trading ? takeOf(input, standing) : undefined;
  if (take === undefined) return quoteLadder(input);
  const got = await takeQuote(maker.desk, market, take);
  // When an order to take did not fill whole, no orders of others are left up to that price.
  const left = got === take.lots ? others : undefined;
  const held = (inventory + (take.side === 'BUY' ? got : -got)) as Lots;
  return quoteLadder({ ...input, inventory: held, others: left });
}

async function restartCountdown(maker: Maker, market: MakerMarket): Promise<void> {
  const { clock, countdownMs } = maker.options;
  const now = clock.now();
  const last = maker.countdowns.get(market.symbol);
  if (last !== undefined && now >= last && now - last < countdownMs / 3) return;
  await setCountdown(maker.desk, market, countdownMs);
  maker.countdowns.set(market.symbol, now);
}

/** Cancels all own orders of a market, until none is left. */
async function sweep(maker: Maker, market: MakerMarket): Promise<void> {
  for (let i = 0; i < sweepsMax; i += 1) {
    const orders = await readStanding(maker.desk, market);
    if (orders.length === 0) return;
    await cancelQuotes(maker.desk, market, orders);
  }
  throw new Error(`${market.symbol}: its orders could not all be cancelled`);
}

function forgetTroubles(maker: Maker): void {
  const { clock, report } = maker.options;
  if (maker.troubles.size === 0 || Math.abs(clock.now() - maker.troubleAt) < calmMs) return;
  maker.troubles.clear();
  report('the market maker works again without trouble');
}
