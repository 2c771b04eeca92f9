// How much the available money can open, and what it costs.

import type { Market } from '../state/market.ts';

/** margin = value / leverage, rounded up. */
export const marginOf = (value: bigint, leverage: number): bigint =>
  (value + BigInt(leverage) - 1n) / BigInt(leverage);

/** What an order freezes beyond its margin while it rests (MAR-1): a factor of 1.005. */
const freezeThousandths = 1005n;

type LotsFor = {
  readonly ticks: bigint;
  readonly leverage: number;
  readonly market: Market;
};

/** The most lots that the available money can open at this price, rounded down. */
export function lotsFor(available: bigint, { ticks, leverage, market }: LotsFor): bigint {
  if (ticks <= 0n || available <= 0n) return 0n;
  const value = (available * BigInt(leverage) * 1000n) / freezeThousandths;
  return value / (ticks * market.grain);
}
