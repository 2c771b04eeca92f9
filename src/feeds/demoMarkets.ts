// The markets of the demo deployment (NUM-1) as records for listing, and their parameters for the
// simulated feed. Terms that are left out take the defaults of OPS-2.

import type { IndexFeed } from './indexFeed.ts';

/** A market record of OPS-2 as an operator sends it. */
export type DemoMarketRecord = {
  readonly symbol: string;
  readonly base_asset: string;
  readonly tick_size: string;
  readonly lot_size: string;
  readonly max_leverage: number;
  readonly maintenance_margin_rate: string;
  readonly brackets: readonly { readonly up_to_usd: string; readonly rate: string }[];
  readonly gap_rate: string;
  readonly liquidation_fee_rate: string;
  readonly min_order_size_usd: string;
  readonly max_order_size_usd: string;
  readonly oi_cap_usd: string;
  readonly funding_factor: string;
  readonly max_funding_rate: string;
  readonly min_funding_rate: string;
  readonly funding_interval_hours: number;
  readonly index_sources: readonly { readonly source: string; readonly weight: number }[];
  readonly underlying_type: 'COIN';
  readonly status: 'TRADING';
};

/** The level around which a demo market's simulated price moves, and how it moves (simFeed.ts). */
export type DemoPrice = {
  readonly symbol: string;
  readonly anchor: string;
  readonly volatility: number;
  readonly correlation: number;
};

const terms = {
  liquidation_fee_rate: '0.005',
  min_order_size_usd: '5',
  max_order_size_usd: '1000000',
  oi_cap_usd: '20000000',
  funding_factor: '0.01',
  max_funding_rate: '0.01',
  min_funding_rate: '-0.01',
  funding_interval_hours: 8,
  underlying_type: 'COIN',
  status: 'TRADING',
} as const;

// The rate is half of the initial rate at the maximum leverage, and therefore at least twice the
// liquidation fee (MAR-8). The brackets are those of `evermark markets brackets` for the demo's
// fund of 1,000,000 (OPS-7): with them a gap costs at most 218,000 of it, in AVAXUSDT 218,334.
const fiftyfold = {
  max_leverage: 50,
  maintenance_margin_rate: '0.01',
  gap_rate: '0.05',
  brackets: [
    { up_to_usd: '1200000', rate: '0.01' },
    { up_to_usd: '3000000', rate: '0.02' },
    { up_to_usd: '4000000', rate: '0.025' },
    { up_to_usd: '8000000', rate: '0.05' },
    { up_to_usd: '20000000', rate: '0.1' },
  ],
} as const;
const twentyfivefold = {
  max_leverage: 25,
  maintenance_margin_rate: '0.02',
  gap_rate: '0.1',
  brackets: [
    { up_to_usd: '500000', rate: '0.02' },
    { up_to_usd: '1000000', rate: '0.025' },
    { up_to_usd: '1500000', rate: '0.05' },
    { up_to_usd: '3000000', rate: '0.1' },
    { up_to_usd: '6000000', rate: '0.125' },
    { up_to_usd: '20000000', rate: '0.25' },
  ],
} as const;

const grids = [
  { symbol: 'BTCUSDT', base_asset: 'BTC', tick_size: '0.1', lot_size: '0.001', ...fiftyfold },
  { symbol: 'ETHUSDT', base_asset: 'ETH', tick_size: '0.01', lot_size: '0.01', ...fiftyfold },
  {
    symbol: 'AVAXUSDT',
    base_asset: 'AVAX',
    tick_size: '0.001',
    lot_size: '0.1',
    ...twentyfivefold,
  },
] as const;

/** The demo markets, with the deployment's one feed as their index source. */
export function demoMarkets(source: IndexFeed['source']): readonly DemoMarketRecord[] {
  const index_sources = [{ source, weight: 1 }];
  return grids.map((grid) => ({ ...grid, ...terms, index_sources }));
}

export const demoPrices: readonly DemoPrice[] = [
  { symbol: 'BTCUSDT', anchor: '115000', volatility: 0.5, correlation: 0.92 },
  { symbol: 'ETHUSDT', anchor: '4200', volatility: 0.7, correlation: 0.86 },
  { symbol: 'AVAXUSDT', anchor: '28', volatility: 0.9, correlation: 0.75 },
];
