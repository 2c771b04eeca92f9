// The index feeds of a deployment, from its configuration. The operator's prices are always among
// them. A market's own list of sources decides which of them count.

import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import { type Exchange, marketsOf } from '../engine/views/exchange.ts';
import { demoPrices } from '../feeds/demoMarkets.ts';
import type { IndexFeed, Report } from '../feeds/indexFeed.ts';
import type { FeedOption } from '../feeds/parseFeedOption.ts';
import { openReplayFeed } from '../feeds/replayFeed.ts';
import { createSimFeed } from '../feeds/simFeed.ts';
import { answerMsMax, createFetchText } from '../feeds/sources/fetchText.ts';
import { openSocket } from '../feeds/sources/openSocket.ts';
import { nameOf, parseSources, type SourceOption } from '../feeds/sources/parseSources.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { formatScaled } from '../units/decimal.ts';

export type OpenFeeds = {
  /** The operator's prices. */
  readonly manual: IndexFeed;
  readonly config: Pick<Config, 'feed' | 'feedSpeed' | 'feedSeed' | 'sources'>;
  readonly exchange: Exchange;
  readonly report: Report;
};

/** Rejects with a sentence for the operator when a recording or a file cannot be used. */
export async function openFeeds(options: OpenFeeds): Promise<readonly IndexFeed[]> {
  const { config, report } = options;
  const sources = config.sources === '' ? [] : readSources(config.sources);
  const own = await openOwnFeeds(options);
  if (sources.length === 0) return own;
  // Loaded only where sources are configured: it brings viem, which is slow to load.
  const { openSources } = await import('../feeds/sources/openSources.ts');
  const outside = openSources(sources, {
    fetchText: createFetchText(answerMsMax),
    openSocket,
    clock: systemClock,
    scheduler: systemScheduler,
    seed: config.feedSeed,
    report,
  });
  return [...own, ...outside];
}

async function openOwnFeeds(options: OpenFeeds): Promise<readonly IndexFeed[]> {
  const { manual, config, exchange, report } = options;
  const { feed, feedSpeed: speed, feedSeed: seed } = config;
  switch (feed.kind) {
    case 'manual':
      return [manual];
    case 'replay': {
      const replay = openReplayFeed({ files: feed.files, speed, report });
      return [await replay.catch(refuseFile), manual];
    }
    case 'sim':
      return [createSimFeed({ seed, symbols: simSymbols(exchange) }), manual];
  }
}

const refuseFile = (error: Error): never => {
  throw new ConfigError(`${error.message}.`);
};

function readSources(path: string): readonly SourceOption[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The index sources cannot be read: ${(error as Error).message}`);
  }
  const parsed = parseSources(text);
  if (parsed.kind === 'malformed') throw new ConfigError(`${path}: ${parsed.message}.`);
  return parsed.sources;
}

// A walk goes on where it was when the exchange stopped.
function simSymbols(exchange: Exchange) {
  return demoPrices.flatMap((price) => {
    const market = marketsOf(exchange).find(({ symbol }) => symbol === price.symbol);
    if (market === undefined) return [];
    const { tick } = market;
    const { index } = market.prices;
    const start = index === 0 ? price.anchor : formatScaled(index * tick.step, tick.decimals);
    return [{ ...price, tick, start }];
  });
}

/** The sources of a deployment by symbol, from its configuration. */
export type SourcesOf = (symbol: string) => readonly string[];

/**
 * First the deployment's own feed, if it knows the symbol; then the operator's, which can price any
 * symbol; then the external ones. Throws `ConfigError` when the file of sources cannot be used.
 */
export function sourcesOf({ feed, sources }: Pick<Config, 'feed' | 'sources'>): SourcesOf {
  const outside = sources === '' ? [] : readSources(sources);
  return (symbol) => [
    ...(knows(feed, symbol) ? [feed.kind] : []),
    'manual',
    ...outside.filter((option) => option.symbols.has(symbol)).map(nameOf),
  ];
}

function knows(feed: FeedOption, symbol: string): boolean {
  switch (feed.kind) {
    case 'sim':
      return demoPrices.some((price) => price.symbol === symbol);
    case 'replay':
      return feed.files.some((file) => file.symbol === symbol);
    case 'manual':
      return false;
  }
}
