// What the market maker reads from the exchange's answers: markets, index prices, positions, its
// own orders. A record that differs from the interface is an error that names its place.

import { formatScaled, parseDecimal, parseScaled } from '../units/decimal.ts';
import type { Grain } from '../units/notional.ts';
import { type Lots, type Money, moneyDecimals, type Ticks } from '../units/units.ts';
import type { BestOfOthers } from './quoteLadder.ts';
import type { StandingQuote } from './reconcileQuotes.ts';

/** A decimal step: step × 10^-decimals. */
type Grid = { readonly decimals: number; readonly step: number };

export type MakerMarket = {
  readonly symbol: string;
  readonly tick: Grid;
  readonly lot: Grid;
  readonly grain: Grain;
  readonly notionalMin: Money;
  /** Whether it accepts every new order now (SYM-1). */
  readonly trading: boolean;
  /** Whether it accepts orders that rest: also while the breaker stands (PRC-3b). */
  readonly resting: boolean;
};

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The rows of an answer that must be an array of objects. */
export function rowsOf(body: unknown, place: string): readonly JsonRecord[] {
  if (!Array.isArray(body) || !body.every(isRecord))
    throw new Error(`${place}: not a list of rows`);
  return body;
}

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The markets of exchangeInfo. */
export function marketsOf(body: unknown): readonly MakerMarket[] {
  const place = 'exchangeInfo';
  const symbols = isRecord(body) ? body.symbols : undefined;
  return rowsOf(symbols, place).map((row) => {
    const symbol = textOf(row, 'symbol', place);
    const filters = rowsOf(row.filters, `${place} of ${symbol}`);
    const filterText = (type: string, field: string): string => {
      const filter = filters.find((one) => one.filterType === type);
      return textOf(filter ?? {}, field, `${place} of ${symbol}, ${type}`);
    };
    const tick = gridOf(filterText('PRICE_FILTER', 'tickSize'));
    const lot = gridOf(filterText('LOT_SIZE', 'stepSize'));
    const notionalMin = wholeOf(filterText('MIN_NOTIONAL', 'notional'), {
      decimals: moneyDecimals,
      step: 1,
    }) as Money;
    const trading = row.status === 'TRADING';
    const grain = grainOf(tick, lot);
    return { symbol, tick, lot, grain, notionalMin, trading, resting: trading };
  });
}

/** `markets` with those that only the breaker restricts, by the native list (PRC-3b). */
export function withBreaker(
  markets: readonly MakerMarket[],
  body: unknown,
): readonly MakerMarket[] {
  const braked = rowsOf(body, 'markets').filter(({ restriction }) => restriction === 'breaker');
  const symbols = new Set(braked.map((row) => textOf(row, 'symbol', 'markets')));
  return markets.map((market) =>
    symbols.has(market.symbol) ? { ...market, resting: true } : market,
  );
}

/** The index of each of `markets` that has one in premiumIndex. */
export function indexPricesOf(
  body: unknown,
  markets: readonly MakerMarket[],
): ReadonlyMap<string, Ticks> {
  const prices = new Map<string, Ticks>();
  for (const row of rowsOf(body, 'premiumIndex')) {
    const market = markets.find((one) => one.symbol === row.symbol);
    if (market === undefined) continue;
    const ticks = wholeOf(textOf(row, 'indexPrice', 'premiumIndex'), market.tick) as Ticks;
    if (ticks > 0) prices.set(market.symbol, ticks);
  }
  return prices;
}

/** Best bid and ask of each of `markets` in bookTicker, in ticks; 0 where there is none. */
export function bestPricesOf(
  body: unknown,
  markets: readonly MakerMarket[],
): ReadonlyMap<string, BestOfOthers> {
  const place = 'bookTicker';
  const prices = new Map<string, BestOfOthers>();
  for (const row of rowsOf(body, place)) {
    const market = markets.find((one) => one.symbol === row.symbol);
    if (market === undefined) continue;
    const ticksOf = (field: string): Ticks =>
      wholeOf(textOf(row, field, place), market.tick) as Ticks;
    prices.set(market.symbol, { bid: ticksOf('bidPrice'), ask: ticksOf('askPrice') });
  }
  return prices;
}

/** The signed position on each of `markets`; the map leaves out markets without a position. */
export function positionsOf(
  body: unknown,
  markets: readonly MakerMarket[],
): ReadonlyMap<string, Lots> {
  const positions = new Map<string, Lots>();
  for (const row of rowsOf(body, 'positionRisk')) {
    const market = markets.find((one) => one.symbol === row.symbol);
    if (market === undefined) continue;
    const lots = wholeOf(textOf(row, 'positionAmt', 'positionRisk'), market.lot) as Lots;
    positions.set(market.symbol, lots);
  }
  return positions;
}

/** Open interest of the two sides of `market`, without house accounts (FUND-1). */
export function openInterestOf(
  body: unknown,
  market: MakerMarket,
): { readonly longs: Lots; readonly shorts: Lots } {
  const place = `open interest of ${market.symbol}`;
  const row = isRecord(body) ? body : {};
  const lotsOf = (field: string): Lots => wholeOf(textOf(row, field, place), market.lot) as Lots;
  return { longs: lotsOf('long_oi'), shorts: lotsOf('short_oi') };
}

/** The open orders whose client id begins with `prefix`. */
export function standingQuotesOf(
  body: unknown,
  market: MakerMarket,
  prefix: string,
): readonly StandingQuote[] {
  const place = `openOrders of ${market.symbol}`;
  const rows = rowsOf(body, place);
  return rows
    .filter((row) => textOf(row, 'clientOrderId', place).startsWith(prefix))
    .map((row) => {
      const side = textOf(row, 'side', place);
      if (side !== 'BUY' && side !== 'SELL') throw new Error(`${place}: no side`);
      const filled = wholeOf(textOf(row, 'executedQty', place), market.lot);
      const total = wholeOf(textOf(row, 'origQty', place), market.lot);
      return {
        orderId: textOf(row, 'orderId', place),
        side,
        ticks: wholeOf(textOf(row, 'price', place), market.tick) as Ticks,
        lots: (total - filled) as Lots,
        filled: filled as Lots,
      };
    });
}

/** A whole number of a grid's steps as decimal text. */
export function textOnGrid(value: Ticks | Lots, grid: Grid): string {
  return formatScaled(value * grid.step, grid.decimals);
}

/** Decimal text as a whole number of a grid's steps. */
export function wholeOf(text: string, grid: Grid): number {
  const scaled = parseScaled(text, grid.decimals, grid.step);
  if (scaled.kind !== 'exact') throw new Error(`"${text.slice(0, 40)}" is not on its grid`);
  return scaled.value;
}

function gridOf(text: string): Grid {
  const decimal = parseDecimal(text);
  if (decimal === undefined || decimal.negative || decimal.digits === 0n) {
    throw new Error(`"${text.slice(0, 40)}" is no grid`);
  }
  let { digits, scale } = decimal;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { decimals: scale, step: Number(digits) };
}

/** tick × lot in units of money, a whole number by UNIT-1. */
function grainOf(tick: Grid, lot: Grid): Grain {
  const shift = moneyDecimals - tick.decimals - lot.decimals;
  if (shift < 0) throw new Error('a market whose notional rounds');
  return tick.step * lot.step * 10 ** shift;
}

function textOf(row: JsonRecord, field: string, place: string): string {
  const value = row[field];
  if (typeof value !== 'string') throw new Error(`${place}: no ${field}`);
  return value;
}
