// Prices and quantities as whole steps, because floating-point numbers cannot hold them exactly.

import type { Client } from '@evermark/client';

/** How many decimals the steps of a market have, and one step in units of its last decimal. */
export type Grid = { readonly decimals: number; readonly step: bigint };

export type MarketGrids = {
  readonly tick: Grid;
  readonly lot: Grid;
  /** The least notional of an order, in USDT. */
  readonly minNotional: number;
};

/** Decimal text as units of the last of `decimals` decimals; further decimals are cut off. */
export function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

export function plain(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

const gridOf = (step: string): Grid => {
  const decimals = step.split('.')[1]?.length ?? 0;
  return { decimals, step: scaled(step, decimals) };
};

/** Rounds down to a whole step. */
export const onGrid = (value: bigint, { step }: Grid): bigint => (value / step) * step;

export async function readGrids(client: Client, symbol: string): Promise<MarketGrids> {
  const { symbols } = await client.fapi.getExchangeInfo();
  const market = symbols.find((each) => each.symbol === symbol);
  if (market === undefined) throw new Error(`there is no market ${symbol}`);
  const grids: { tick?: Grid; lot?: Grid; minNotional: number } = { minNotional: 0 };
  for (const filter of market.filters) {
    if (filter.filterType === 'PRICE_FILTER') grids.tick = gridOf(filter.tickSize);
    else if (filter.filterType === 'LOT_SIZE') grids.lot = gridOf(filter.stepSize);
    else if (filter.filterType === 'MIN_NOTIONAL') grids.minNotional = Number(filter.notional);
  }
  const { tick, lot, minNotional } = grids;
  if (tick === undefined || lot === undefined) throw new Error(`${symbol} has no filters`);
  return { tick, lot, minNotional };
}

/** The fewest lots that are worth `notional` at a price, as text. */
export function quantityFor(notional: number, price: number, lot: Grid): string {
  const wanted = scaled((notional / price).toFixed(lot.decimals), lot.decimals);
  return plain(onGrid(wanted, lot) + lot.step, lot.decimals);
}
