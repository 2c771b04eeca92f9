// The index feeds of a deployment, as its configuration names them. The operator's prices are
// always among them; whether they count is a market's own list of sources.

import type { Config } from '../config.ts';
import type { Exchange } from '../engine/exchange.ts';
import { demoPrices } from '../keeper/demoMarkets.ts';
import type { IndexFeed, Report } from '../keeper/indexFeed.ts';
import { createManualFeed, type ManualFeed } from '../keeper/manualFeed.ts';
import { openReplayFeed } from '../keeper/replayFeed.ts';
import { createSimFeed } from '../keeper/simFeed.ts';
import { formatScaled } from '../units/decimal.ts';

export type OpenFeeds = {
  readonly config: Pick<Config, 'feed' | 'feedSpeed' | 'feedSeed'>;
  readonly exchange: Pick<Exchange, 'markets'>;
  readonly report: Report;
};

export type Feeds = {
  readonly manual: ManualFeed;
  readonly all: readonly IndexFeed[];
};

/** Rejects with a sentence for the operator when a recording cannot be used. */
export async function openFeeds({ config, exchange, report }: OpenFeeds): Promise<Feeds> {
  const manual = createManualFeed();
  const { feed, feedSpeed: speed, feedSeed: seed } = config;
  switch (feed.kind) {
    case 'manual':
      return { manual, all: [manual] };
    case 'replay':
      return { manual, all: [await openReplayFeed({ files: feed.files, speed, report }), manual] };
    case 'sim':
      return { manual, all: [createSimFeed({ seed, symbols: simSymbols(exchange) }), manual] };
  }
}

// A walk goes on where it was when the exchange stopped.
function simSymbols({ markets }: Pick<Exchange, 'markets'>) {
  return demoPrices.flatMap((price) => {
    const market = markets.find(({ symbol }) => symbol === price.symbol);
    if (market === undefined) return [];
    const { tick } = market;
    const { index } = market.prices;
    const start = index === 0 ? price.anchor : formatScaled(index * tick.step, tick.decimals);
    return [{ ...price, tick, start }];
  });
}

/** The name under which a market lists the deployment's feed. */
export function feedSource({ feed }: Pick<Config, 'feed'>): string {
  return feed.kind;
}
