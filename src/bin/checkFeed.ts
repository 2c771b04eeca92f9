// Which feeds a deployment may have: prices that were invented or recorded are for money that was,
// too.

import { type Config, ConfigError, chains } from '../config.ts';

/** Throws `ConfigError` for a feed whose prices no real money may be traded at. */
export function checkFeed({ chain, feed }: Pick<Config, 'chain' | 'feed'>): void {
  if (chains[chain] === 'testnet' || feed.kind === 'manual') return;
  const what = feed.kind === 'sim' ? 'invents its prices' : 'plays recorded prices';
  throw new ConfigError(
    `Chain ${chain} carries real money, and the feed "${feed.kind}" ${what}. Start with ` +
      '--feed manual, and name the index sources of your markets in --sources.',
  );
}
