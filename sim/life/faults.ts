// What may go wrong in a life, by name: whether a run has it, how often, and how often it came. What
// each does stands where it is done.

import type { Prng } from '../../src/std/prng.ts';

/** How far two of a kind are apart on average, in virtual milliseconds; 0: not by time. */
const meanMs = {
  kill: 16_000,
  powerLoss: 36_000,
  tornWrite: 50_000,
  syncError: 70_000,
  diskFull: 50_000,
  logBit: 80_000,
  snapshotBit: 60_000,
  slowDisk: 24_000,
  clockJump: 30_000,
  databaseDown: 24_000,
  databaseSilent: 30_000,
  databaseRestored: 80_000,
  indexFrozen: 10_000,
  indexZero: 12_000,
  indexLying: 12_000,
  indexDead: 12_000,
  poison: 100_000,
  duplicated: 0,
  reordered: 0,
  requestLost: 0,
  answerLost: 0,
  slowReader: 0,
  recoveryDies: 0,
} as const;

export type FaultName = keyof typeof meanMs;

export const faultNames = Object.keys(meanMs) as readonly FaultName[];

/** The share of requests, sockets or starts that it hits at the most. */
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
  /** Milliseconds until the next; undefined where the run has none. */
  readonly pause: (name: FaultName) => number | undefined;
  /** Nothing goes wrong any more. */
  readonly end: () => void;
  readonly begin: () => void;
};

/** `chosen`: those that a run has for certain, and no others; undefined draws them. */
export function createFaults(prng: Prng, chosen: ReadonlySet<FaultName> | undefined): Faults {
  const rates = new Map<FaultName, number>();
  for (const name of faultNames) {
    // Drawn also where it is not asked for, so that a choice does not change the others' rates.
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
      return Math.ceil((meanMs[name] / rate) * (0.05 + 1.9 * prng.unit()));
    },
    end: () => {
      going = false;
    },
    begin: () => {
      going = true;
    },
  };
}
