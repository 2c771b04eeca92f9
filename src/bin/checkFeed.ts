// Which feeds a deployment may have. Simulated or recorded prices may not move real money.

import { type Config, ConfigError, chains } from '../config.ts';

/** Throws `ConfigError` for a feed at whose prices no real money may be traded. */
export function checkFeed({ chain, feed }: Pick<Config, 'chain' | 'feed'>): void {
  if (chains[chain] === 'testnet' || feed.kind === 'manual') return;
  const what = feed.kind === 'sim' ? 'invents its prices' : 'plays recorded prices';
  throw new ConfigError(
    `Chain ${chain} carries real money, and the feed "${feed.kind}" ${what}. Start with ` +
      '--feed manual, and name the index sources of your markets in --sources.',
  );
}
