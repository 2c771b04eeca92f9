// The faults of a run, by name: whether a run has them, how often, and how often each came. The
// code of each fault is elsewhere.

import type { Prng } from '../../src/std/prng.ts';

/** The average virtual milliseconds between two faults of a kind in a short run; 0: not by time. */
const meanMs = {
  kill: 8_000,
  powerLoss: 18_000,
  tornWrite: 25_000,
  syncError: 35_000,
  diskFull: 25_000,
  logBit: 40_000,
  snapshotBit: 30_000,
  slowDisk: 12_000,
  clockJump: 15_000,
  databaseDown: 12_000,
  databaseSilent: 15_000,
  databaseRestored: 40_000,
  indexFrozen: 10_000,
  indexZero: 12_000,
  indexLying: 12_000,
  indexDead: 12_000,
  poison: 50_000,
  duplicated: 0,
  reordered: 0,
  requestLost: 0,
  answerLost: 0,
  slowReader: 0,
  recoveryDies: 0,
} as const;

export type FaultName = keyof typeof meanMs;

export const faultNames = Object.keys(meanMs) as readonly FaultName[];

/** The largest share of requests, sockets or starts that it hits. */
const shareMax: Partial<Record<FaultName, number>> = {
  duplicated: 0.05,
  reordered: 0.2,
  requestLost: 0.03,
  answerLost: 0.03,
  slowReader: 0.3,
  recoveryDies: 0.3,
};

export type Faults = {
  /** How often each came. */
  readonly counts: Readonly<Record<string, number>>;
  readonly count: (name: FaultName) => void;
  /** Whether it hits this request, socket or start; counts it. */
  readonly hits: (name: FaultName) => boolean;
  /** Milliseconds until the next; undefined when the run has none. */
  readonly pause: (name: FaultName) => number | undefined;
  /** Nothing goes wrong any more. */
  readonly end: () => void;
  readonly begin: () => void;
};

export type FaultOptions = {
  /** The faults that a run has for certain, and no others; undefined draws them. */
  readonly chosen: ReadonlySet<FaultName> | undefined;
  /** They are this many times as far apart. */
  readonly stretch: number;
};

export function createFaults(prng: Prng, { chosen, stretch }: FaultOptions): Faults {
  const rates = new Map<FaultName, number>();
  for (const name of faultNames) {
    // Drawn even when it is not used, so that a choice does not change the rates of the others.
    const drawn = prng.below(4) > 0;
    const rate = 0.4 * 6 ** prng.unit();
    if (chosen === undefined ? drawn : chosen.has(name)) rates.set(name, rate);
  }
  const counts: Record<string, number> = {};
  let going = false;
  const count = (name: FaultName): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  return {
    counts,
    count,
    hits: (name) => {
      const rate = rates.get(name);
      if (!going || rate === undefined) return false;
      const hit = prng.unit() < ((shareMax[name] ?? 0) * rate) / 2.4;
      if (hit) count(name);
      return hit;
    },
    pause: (name) => {
      const rate = rates.get(name);
      if (rate === undefined) return undefined;
      return Math.ceil(((meanMs[name] * stretch) / rate) * (0.05 + 1.9 * prng.unit()));
    },
    end: () => {
      going = false;
    },
    begin: () => {
      going = true;
    },
  };
}
