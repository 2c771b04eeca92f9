// The text of metrics that a test has made, as a scraper reads it.

import type { ChainStanding } from '../../src/api/deployment.ts';
import type { Metrics, MetricsOptions } from '../../src/bin/createMetrics.ts';
import { noFigures } from '../../src/chain/service/startChainThread.ts';
import type { Money } from '../../src/units/units.ts';

/** Of three nodes the second one is away. */
const chainStanding: ChainStanding = {
  ...{ ...noFigures, gasAccount: null, depthWhenStalled: null, terms: null },
  nodes: [1, 2, 3].map((place) => ({ place, host: `n${place}.example`, isWrong: place === 2 })),
  depositAt: () => undefined,
  withdrawalAt: () => undefined,
};

/** Parts that report nothing. */
export const quietMetrics: Omit<MetricsOptions, 'replica' | 'clock'> = {
  standing: () => ({ role: 'follower', position: 7, lagMs: 250 }),
  streams: () => ({
    readers: 3,
    channels: 2,
    subscriptions: 5,
    ringBytes: 700,
    waiting: 0,
    messages: 11,
    sends: 12,
    readersCut: 4,
    bytesDropped: 900,
  }),
  readers: {},
  history: {
    historian: () => ({
      status: 'following',
      position: 40,
      time: 0,
      rows: 300,
      waiting: 5,
      failures: 1,
      failing: false,
    }),
    reads: () => ({ waiting: 2, answered: 70, failed: 3, behind: 9, overloaded: 4 }),
  },
  workers: () => ({ running: 2, ended: 1 }),
  connections: () => ({ refused: { address: 6, site: 7, all: 8 }, evicted: 9 }),
  invariantFailures: () => 0,
  gapHoles: { holeOf: (market) => (market === 0 ? (2_500_000 as Money) : undefined) },
  chain: () => chainStanding,
  disk: { freeBytes: () => 7_000_000_000, freeBytesMin: 536_870_912 },
};

export type ReadMetrics = {
  /** The lines of values whose name, without the prefix, begins so. */
  readonly reported: (name: string) => string[];
  /** Help texts by name, the runtime's own among them. */
  readonly help: ReadonlyMap<string, string>;
};

export async function readMetrics({ text }: Pick<Metrics, 'text'>): Promise<ReadMetrics> {
  const lines = (await text()).split('\n');
  const help = new Map<string, string>();
  for (const line of lines) {
    const match = /^# HELP (\S+) (.*)$/.exec(line);
    if (match !== null) help.set(match[1]!, match[2]!);
  }
  return { reported: (name) => lines.filter((line) => line.startsWith(`evermark_${name}`)), help };
}
