// The feeds of the configured index sources. The exchange contacts only external servers that the
// configuration names. A URL is a constant of its exchange, or the node that the operator gave.

import type { Clock } from '../../std/clock.ts';
import { createPrng, seedOf } from '../../std/prng.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { IndexFeed, Report } from '../indexFeed.ts';
import { chainlink } from './chainlink.ts';
import { createContractFeed } from './contractFeed.ts';
import type { ContractOracle, Hex } from './contractOracle.ts';
import type { FetchText } from './fetchText.ts';
import type { OpenSocket } from './openSocket.ts';
import { nameOf, type SourceOption } from './parseSources.ts';
import { pyth } from './pyth.ts';
import { createRestFeed } from './restFeed.ts';
import { createStreamFeed } from './streamFeed.ts';

export type SourcePorts = {
  readonly fetchText: FetchText;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Seeds the jitter between attempts. */
  readonly seed: number;
  readonly report: Report;
};

/** A feed for each source; each begins at once. */
export function openSources(
  sources: readonly SourceOption[],
  ports: SourcePorts,
): readonly IndexFeed[] {
  return sources.map((option) => openSource(option, ports));
}

function openSource(option: SourceOption, ports: SourcePorts): IndexFeed {
  // Sources that fail together must not return together, so each has its own sequence of jitter.
  const shared = { ...ports, prng: createPrng(seedOf(ports.seed, nameOf(option))) };
  switch (option.kind) {
    case 'rest':
      return createRestFeed({ ...shared, ...option });
    case 'ws':
      return createStreamFeed({ ...shared, ...option });
    case 'chainlink':
      return createContractFeed({ ...shared, ...option, oracles: oraclesOf(option, chainlink) });
    case 'pyth': {
      const oracles = oraclesOf(option, (id) => pyth(option.address, id));
      return createContractFeed({ ...shared, ...option, oracles });
    }
  }
}

function oraclesOf(
  { symbols }: { readonly symbols: ReadonlyMap<string, Hex> },
  oracleOf: (name: Hex) => ContractOracle,
): ReadonlyMap<string, ContractOracle> {
  return new Map(Array.from(symbols, ([symbol, name]) => [symbol, oracleOf(name)]));
}
