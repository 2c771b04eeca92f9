// The index feeds of a deployment, as its configuration names them. The operator's prices are
// always among them; whether any of them counts is a market's own list of sources.

import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import type { Exchange } from '../engine/exchange.ts';
import { demoPrices } from '../keeper/demoMarkets.ts';
import type { IndexFeed, Report } from '../keeper/indexFeed.ts';
import { createManualFeed, type ManualFeed } from '../keeper/manualFeed.ts';
import { openReplayFeed } from '../keeper/replayFeed.ts';
import { createSimFeed } from '../keeper/simFeed.ts';
import { answerMsMax, createFetchText } from '../keeper/sources/fetchText.ts';
import { openSocket } from '../keeper/sources/openSocket.ts';
import { openSources } from '../keeper/sources/openSources.ts';
import { parseSources, type SourceOption } from '../keeper/sources/parseSources.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { formatScaled } from '../units/decimal.ts';

export type OpenFeeds = {
  readonly config: Pick<Config, 'feed' | 'feedSpeed' | 'feedSeed' | 'sources'>;
  readonly exchange: Pick<Exchange, 'markets'>;
  readonly report: Report;
};

export type Feeds = {
  readonly manual: ManualFeed;
  readonly all: readonly IndexFeed[];
};

/** Rejects with a sentence for the operator when a recording or a file cannot be used. */
export async function openFeeds(options: OpenFeeds): Promise<Feeds> {
  const { config, report } = options;
  const sources = config.sources === '' ? [] : readSources(config.sources);
  const own = await openOwnFeeds(options);
  const outside = openSources(sources, {
    fetchText: createFetchText(answerMsMax),
    openSocket,
    clock: systemClock,
    scheduler: systemScheduler,
    seed: config.feedSeed,
    report,
  });
  return { manual: own.manual, all: [...own.all, ...outside] };
}

async function openOwnFeeds({ config, exchange, report }: OpenFeeds): Promise<Feeds> {
  const manual = createManualFeed();
  const { feed, feedSpeed: speed, feedSeed: seed } = config;
  switch (feed.kind) {
    case 'manual':
      return { manual, all: [manual] };
    case 'replay': {
      const replay = openReplayFeed({ files: feed.files, speed, report });
      return { manual, all: [await replay.catch(refuseFile), manual] };
    }
    case 'sim':
      return { manual, all: [createSimFeed({ seed, symbols: simSymbols(exchange) }), manual] };
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
