// The world of one scenario: an exchange, the wallets behind the names, what has ended and traded
// so far. The words that act on it are in act.ts, those that look at it in expectWords.ts.

import type { Account } from '../../src/engine/account.ts';
import { beginBatch } from '../../src/engine/apply.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { insuranceAddress } from '../../src/engine/marginModes.ts';
import type { Market } from '../../src/engine/market.ts';
import type { Grid, MarketTerms } from '../../src/engine/marketTerms.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { createEndedOrders } from '../../src/market-data/endedOrders.ts';
import { rememberRow } from '../../src/market-data/rowRing.ts';
import { formatTrimmed, parseScaled } from '../../src/units/decimal.ts';
import type { Money, Rate, Time } from '../../src/units/units.ts';
import {
  createLedgerWatch,
  evenLedger,
  type LedgerWatch,
  watchLedger,
} from '../engine/ledgerWatch.ts';

export const grids: Record<string, { tick: Grid; lot: Grid }> = {
  BTCUSDT: { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } },
  ETHUSDT: { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } },
  AVAXUSDT: { tick: { decimals: 3, step: 1 }, lot: { decimals: 1, step: 1 } },
  // The finest grid there is: one tick times one lot is 0.000001 USDT, so that roundings show.
  DUSTUSDT: { tick: { decimals: 3, step: 1 }, lot: { decimals: 3, step: 1 } },
};

/** The terms of a scenario's market before its own words change them (NUM-1); an account may hold a
 * whole side, and the fund gets no fees. */
export const defaultTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: 1_000_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: 1_000_000_000_000 as Money,
  openInterestCap: 20_000_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: 250_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'sim', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  brackets: [{ upTo: 20_000_000_000_000 as Money, rate: 1_000_000 as Rate }],
  priceBand: 5_000_000 as Rate,
  accountShareMax: 100_000_000 as Rate,
  fundFeeShare: 0 as Rate,
  fundTarget: 0 as Money,
  gapRate: 5_000_000 as Rate,
};

export type World = {
  readonly exchange: Exchange;
  readonly names: Map<string, string>;
  readonly ended: ReturnType<typeof createEndedOrders>;
  readonly trades: { symbol: string; text: string }[];
  /** Every event so far, and those of the last step that caused any. */
  readonly events: Event[];
  recent: readonly Event[];
  readonly ledger: LedgerWatch;
  /** The defects of the rows of the last step (BAL-3). */
  unevenLedgers: readonly string[];
  last: Outcome | undefined;
};

export function createWorld(): World {
  const exchange = createExchange(43113);
  beginBatch(exchange, 1_760_000_000_000 as Time);
  return {
    exchange,
    names: new Map([['fund', insuranceAddress]]),
    ended: createEndedOrders(),
    trades: [],
    events: [],
    recent: [],
    ledger: createLedgerWatch(),
    unevenLedgers: [],
    last: undefined,
  };
}

/** Takes the events of the step: ended orders, trades, rows, and all of them as they came. */
export function drain(world: World): void {
  world.unevenLedgers = watchLedger(world.ledger, world.exchange.events, world.exchange);
  for (const event of world.exchange.events) {
    world.events.push(event);
    if (event.kind === 'orderEnded') rememberRow(world.ended, event.order);
    if (event.kind !== 'traded') continue;
    const market = world.exchange.markets[event.market]!;
    const text = `${lotsText(market, event.lots)}@${ticksText(market, event.ticks)}`;
    world.trades.push({ symbol: market.symbol, text });
  }
  if (world.exchange.events.length > 0) world.recent = world.exchange.events;
  world.exchange.events = [];
}

/** For tests that move money without a command: writes the rows that a command would have made. */
export function evenLedgers(world: World): void {
  drain(world);
  evenLedger(world.ledger, world.exchange);
}

export function ticksText(market: Market, ticks: number): string {
  return formatTrimmed(ticks * market.tick.step, market.tick.decimals);
}

export function lotsText(market: Market, lots: number): string {
  return formatTrimmed(lots * market.lot.step, market.lot.decimals);
}

export const moneyText = (value: number): string => formatTrimmed(value, 6);

/** The whole number of 10^-decimals / step in a word. */
export function scaled(text: string, decimals: number, step = 1): number {
  const result = parseScaled(text, decimals, step);
  if (result.kind !== 'exact') throw new Error(`${text} is not on the grid`);
  return result.value;
}

export const money = (text: string): Money => scaled(text, 6) as Money;

/** Takes `name value` out of the words and gives the value. */
export function option(words: string[], name: string): string | undefined {
  const at = words.indexOf(name);
  if (at < 0) return undefined;
  return words.splice(at, 2)[1];
}

/** Takes `name` out of the words and says whether it was there. */
export function flag(words: string[], name: string): boolean {
  const at = words.indexOf(name);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}

/** Takes the market's symbol out of the words; the first market when there is none. */
export function marketOf(world: World, words: string[]): Market {
  const at = words.findIndex((word) => world.exchange.marketBySymbol.has(word));
  const symbol = at < 0 ? world.exchange.markets[0]!.symbol : words.splice(at, 1)[0]!;
  return world.exchange.markets[world.exchange.marketBySymbol.get(symbol)!]!;
}

/** The wallet of a name. */
export function addressOf(world: World, name: string): string {
  const known = world.names.get(name);
  if (known !== undefined) return known;
  const address = `0x${Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40)}`;
  world.names.set(name, address);
  return address;
}

export function accountOf(world: World, name: string): Account {
  const id = world.exchange.accountByAddress.get(addressOf(world, name));
  if (id === undefined) throw new Error(`${name} has no account yet`);
  return world.exchange.accounts[id]!;
}
