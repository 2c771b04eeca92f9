// Actions of the operator that could ruin many accounts at once are refused until they are
// confirmed: the operator sends them again with the present value (OPS-4). A confirmation from
// another day or for another market has another value and does not pass.

import type { MarketTerms } from '../../engine/marketTerms.ts';
import type { Liquidations } from '../../engine/views/liquidatedBy.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import type { Deployment } from '../deployment.ts';
import type { Refusal } from '../refusal.ts';

/** Feeds of the deployment itself; every other source is external. */
const ownFeeds: readonly string[] = ['sim', 'manual', 'replay'];

export const isOwnFeed = (source: string): boolean => ownFeeds.includes(source);

/**
 * `why` are whole sentences. `expected` are the members that confirm the action, each with its
 * present value as `NAME=VALUE`. The CLI reads them from the text again.
 */
export function confirmationRequired(
  why: readonly string[],
  expected: readonly string[],
): Refusal & { readonly reason: 'confirmationRequired' } {
  const repeat = `Nothing was changed. To do it all the same, repeat it with ${expected.join(' ')}`;
  return { reason: 'confirmationRequired', detail: [...why, repeat].join(' ') };
}

/** A sentence; undefined when no account would be liquidated. */
export function liquidationSentence({
  accounts,
  positions,
  notional,
}: Liquidations): string | undefined {
  if (accounts === 0) return undefined;
  const many = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
  return (
    `This would liquidate ${many(accounts, 'account')} at once: ` +
    `${many(positions, 'position')} of ${formatTrimmed(notional, moneyDecimals)} USDT.`
  );
}

/** The dangers of the sources of an index, as sentences (PRC-1). */
export function sourceDangers(
  { indexSourcesOf, isMainnet }: Pick<Deployment, 'indexSourcesOf' | 'isMainnet'>,
  { symbol }: Pick<Market, 'symbol'>,
  sources: MarketTerms['indexSources'],
): string[] {
  // The engine reports what is wrong with such a list.
  if (sources.some(({ weight }) => weight < 1)) return [];
  const known = indexSourcesOf(symbol);
  const dangers = sources
    .filter(({ source }) => !known.includes(source))
    .map(
      ({ source }) =>
        `This deployment has no source "${source}" for ${symbol}; it has ${known.join(', ')}.`,
    );
  const total = sources.reduce((sum, { weight }) => sum + weight, 0);
  // A testnet that uses only its own prices has no other source to compare them with.
  const ofItsOwn = !isMainnet && sources.every(({ source }) => isOwnFeed(source));
  if (ofItsOwn) return dangers;
  for (const { source, weight } of sources) {
    if (2 * weight < total) continue;
    dangers.push(
      `The source "${source}" has ${weight} of ${total} parts of the weight, half or more: ` +
        `its price alone would be the index of ${symbol}.`,
    );
  }
  return dangers;
}

/** The sources as a member of a request. */
export function sourcesText(sources: MarketTerms['indexSources']): string {
  return JSON.stringify(sources.map(({ source, weight }) => ({ source, weight })));
}
