// How much processor time the threads of a running exchange have taken, as Linux tells it of each by
// name. What bounds a bigger machine is the thread that there is one of.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type ThreadTimes = {
  /** Microseconds of the thread that trades. */
  readonly trading: number;
  /** Of all gateway workers together. */
  readonly gateway: number;
  /** Of the whole process. */
  readonly all: number;
};

/** Figures that are no numbers where the platform tells nothing. */
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

/** What was taken between the two readings, for each of so many orders. */
export function timesPerOrder(
  before: ThreadTimes,
  after: ThreadTimes,
  orders: number,
): ThreadTimes {
  const each = (name: keyof ThreadTimes): number => (after[name] - before[name]) / orders;
  return { trading: each('trading'), gateway: each('gateway'), all: each('all') };
}
