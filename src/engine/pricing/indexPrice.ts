// The index of a market: the weighted median of its configured sources (PRC-1).

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Ticks } from '../../units/units.ts';
import type { SourcePrice } from '../market.ts';
import type { IndexSource } from '../marketTerms.ts';

/**
 * The smallest price at which half of the weight with a price is reached; at exactly half, the mean
 * with the next price, half to even. undefined when no configured source has a price.
 */
export function weightedMedian(
  sources: readonly IndexSource[],
  prices: readonly SourcePrice[],
): Ticks | undefined {
  const weighted: { ticks: Ticks; weight: number }[] = [];
  let total = 0;
  for (const { source, weight } of sources) {
    const price = prices.find((candidate) => candidate.source === source);
    if (price === undefined) continue;
    weighted.push({ ticks: price.ticks, weight });
    total += weight;
  }
  weighted.sort((a, b) => a.ticks - b.ticks);
  let reached = 0;
  for (const [index, { ticks, weight }] of weighted.entries()) {
    reached += weight;
    if (2 * reached < total) continue;
    if (2 * reached > total) return ticks;
    const next = weighted[index + 1]!;
    return mulDivHalfEven(ticks + next.ticks, 1, 2) as Ticks;
  }
  return undefined;
}
