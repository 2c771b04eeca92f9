// The markets of the deployment as the page uses them: grids, the contract multiplier, and terms as
// the exchange shows them.

import type { Client } from '../../client/client.ts';
import { type Grid, gridOf } from '../../client/grid.ts';
import { scaledOf } from './grid.ts';

export type MarketRecord = Awaited<ReturnType<Client['native']['listNativeMarkets']>>[number];

export type Market = {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly tick: Grid;
  readonly lot: Grid;
  /** 1e-6 USDT of one tick of one lot. */
  readonly grain: bigint;
  readonly maxLeverage: number;
  /** 1e-6 USDT. */
  readonly orderMin: bigint;
  readonly orderMax: bigint;
  readonly record: MarketRecord;
};

const moneyDecimals = 6;

export function marketOf(record: MarketRecord): Market {
  const filters = record.filters as readonly {
    readonly filter_type: string;
    readonly tick_size?: string;
    readonly step_size?: string;
  }[];
  const filterOf = (type: string) => filters.find(({ filter_type }) => filter_type === type);
  const tick = gridOf(filterOf('PRICE_FILTER')?.tick_size ?? '1');
  const lot = gridOf(filterOf('LOT_SIZE')?.step_size ?? '1');
  const product = BigInt(tick.step) * BigInt(lot.step);
  const shift = moneyDecimals - tick.decimals - lot.decimals;
  return {
    symbol: record.symbol,
    base: record.base_asset,
    quote: record.quote_asset,
    tick,
    lot,
    grain: shift >= 0 ? product * 10n ** BigInt(shift) : product / 10n ** BigInt(-shift),
    maxLeverage: record.max_leverage,
    orderMin: scaledOf(record.min_order_size_usd, moneyDecimals),
    orderMax: scaledOf(record.max_order_size_usd, moneyDecimals),
    record,
  };
}

/** ticks × lots as 1e-6 USDT. */
export const notionalOf = ({ grain }: Market, ticks: bigint, lots: bigint): bigint =>
  ticks * lots * grain;
