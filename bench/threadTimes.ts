// The processor time of a running exchange's threads, which Linux reports by name. On a bigger
// machine the limit is the thread that exists only once.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type ThreadTimes = {
  /** Microseconds of the thread that trades. */
  readonly trading: number;
  /** Of all gateway workers together. */
  readonly gateway: number;
  /** Of the whole process. */
  readonly all: number;
};

/** The figures are NaN where the platform reports none. */
export function readThreadTimes(pid: number): ThreadTimes {
  if (!existsSync(`/proc/${pid}/schedstat`)) return { trading: NaN, gateway: NaN, all: NaN };
  const times = { trading: 0, gateway: 0, all: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    // The first figure of schedstat: nanoseconds on a processor.
    const spent = Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1000;
    times.all += spent;
    if (Number(thread) === pid) times.trading += spent;
    else if (readFileSync(`${folder}/comm`, 'latin1').trim() === 'gateway') times.gateway += spent;
  }
  return times;
}

/** The time between the two readings, for each of that many orders. */
export function timesPerOrder(
  before: ThreadTimes,
  after: ThreadTimes,
  orders: number,
): ThreadTimes {
  const each = (name: keyof ThreadTimes): number => (after[name] - before[name]) / orders;
  return { trading: each('trading'), gateway: each('gateway'), all: each('all') };
}
