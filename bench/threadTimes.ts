// The processor time of a running exchange's threads, which Linux reports by name. On a bigger
// machine the limit is the thread that exists only once.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type ThreadTimes = {
  /** Microseconds of the thread that trades. */
  readonly trading: number;
  /** Of all gateway workers together. */
  readonly gateway: number;
  /** Of the second replica, with its snapshots and rows of history. */
  readonly archivist: number;
  /** Of the thread that makes the log durable. */
  readonly log: number;
  /** Of the runtime's own threads, which compile and collect. */
  readonly helpers: number;
  /** Of the whole process. */
  readonly all: number;
};

/** Names of threads as Linux shows them, up to 15 characters. */
const names: Readonly<Record<string, keyof ThreadTimes>> = {
  gateway: 'gateway',
  archivist: 'archivist',
  logWriter: 'log',
  clusterLog: 'log',
  V8Worker: 'helpers',
};

/** The figure of each of them. */
export const eachThread = (of: (name: keyof ThreadTimes) => number): ThreadTimes => ({
  trading: of('trading'),
  gateway: of('gateway'),
  archivist: of('archivist'),
  log: of('log'),
  helpers: of('helpers'),
  all: of('all'),
});

/** The figures are NaN where the platform reports none. */
export function readThreadTimes(pid: number): ThreadTimes {
  if (!existsSync(`/proc/${pid}/schedstat`)) return eachThread(() => Number.NaN);
  const times: Record<keyof ThreadTimes, number> = { ...eachThread(() => 0) };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    // The first figure of schedstat: nanoseconds on a processor.
    const spent = Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1000;
    times.all += spent;
    const name = readFileSync(`${folder}/comm`, 'latin1').trim();
    const of = Number(thread) === pid ? 'trading' : names[name];
    if (of !== undefined) times[of] += spent;
  }
  return times;
}

/** The time between the two readings, for each of that many orders. */
export function timesPerOrder(
  before: ThreadTimes,
  after: ThreadTimes,
  orders: number,
): ThreadTimes {
  return eachThread((name) => (after[name] - before[name]) / orders);
}
