// What outlives the program in a run: time, random numbers, the disk, the database, the secret
// store, the operator's notes of what went wrong. startProgram.ts has the program itself.

import type { SecretStore } from '../../src/secrets/secretStore.ts';
import type { Clock } from '../../src/std/clock.ts';
import { createPrng, type Prng, seedOf } from '../../src/std/prng.ts';
import { testEngines } from '../../test/fixtures/testEngines.ts';
import { createMemorySecretStore } from '../../test/gateway/memorySecretStore.ts';
import { createLifeDatabase, type LifeDatabase } from './createLifeDatabase.ts';
import { drawBytes } from './drawBytes.ts';
import { createFaults, type FaultName, type Faults } from './faults.ts';
import { createLifeDisk, type LifeDisk } from './lifeDisk.ts';
import { createSteps, type Steps } from './steps.ts';

export const logDirectory = '/data/log';
export const snapshotDirectory = '/data/snapshots';
export const chainId = 43113;
export const engines = testEngines;

/** Mistakes that the program can make on purpose, to show that the simulation finds them. */
export const mistakes = [
  'answerBeforeSync',
  'skipSync',
  'loseLastBatch',
  'forgetIdempotency',
  'loseHistoryRow',
  'keepArmed',
  'payClaimAgain',
  'loseAccrued',
  'forgetEndedSession',
] as const;

export type Mistake = (typeof mistakes)[number];

export type LifeOptions = {
  readonly seed: number;
  /** The run ends after this many commands of the log. */
  readonly commands: number;
  /** undefined: drawn from the seed. */
  readonly faults: ReadonlySet<FaultName> | undefined;
  readonly requestsPerSecond: number;
  /** Whether the clients' own view of the exchange is compared with it too. */
  readonly judged: boolean;
  readonly mistake?: Mistake | undefined;
  /** Receives starts, ends and faults when they happen. */
  readonly tell?: ((what: string) => void) | undefined;
};

/** What the run draws once about its machine. */
export type Machine = {
  readonly segmentBytes: number;
  readonly snapshotEvery: number;
  readonly syncMs: number;
};

export type LifeWorld = {
  readonly options: LifeOptions;
  /** 1 for a short run, 2 for a long one: how far apart its sleeps and faults are. */
  readonly stretch: number;
  readonly steps: Steps;
  readonly prngOf: (part: string) => Prng;
  readonly machine: Machine;
  readonly faults: Faults;
  readonly disk: LifeDisk;
  readonly secretStore: SecretStore;
  readonly database: LifeDatabase;
  /** The clock of everything outside the program. */
  readonly clock: Clock;
  /** The program's clock, which an operator or a weak battery may have changed. */
  readonly programClock: Clock;
  /** How far the program's clock is wrong, milliseconds. */
  clockOffset: number;
  /** For how long everything has slept. */
  slept: number;
  /** The disk is slow until then. */
  slowUntil: number;
  /** Promises may have been made since they last settled. */
  touched: boolean;
  readonly violations: string[];
  readonly violate: (what: string) => void;
  readonly counts: Record<string, number>;
};

/** A whole minute, so that deliveries can be planned. */
const startedAt = 1_760_000_040_000;

/**
 * Up to this number a run is short, and meets in little time the faults that a long run meets in
 * more.
 */
const shortCommands = 10_000;

const kilobyte = 1024;

export function createLifeWorld(options: LifeOptions): LifeWorld {
  const { seed } = options;
  const prngOf = (part: string): Prng => createPrng(seedOf(seed, part));
  const steps = createSteps();
  const prng = prngOf('machine');
  const stretch = Math.min(2, Math.max(1, options.commands / shortCommands));
  const refPrng = prngOf('vault');
  const world: LifeWorld = {
    options,
    stretch,
    steps,
    prngOf,
    machine: {
      segmentBytes: (64 << prng.below(4)) * kilobyte,
      snapshotEvery: 500 + prng.below(5000),
      syncMs: 0.5 + prng.unit() * 14,
    },
    faults: createFaults(prngOf('faults'), { chosen: options.faults, stretch }),
    disk: createLifeDisk(),
    // Its refs are in the log: they are drawn from the run's seed.
    secretStore: createMemorySecretStore((size) => drawBytes(refPrng, size)),
    database: createLifeDatabase(chainId, options.mistake === 'loseHistoryRow'),
    clock: { now: () => startedAt + world.slept + Math.floor(steps.now()) },
    programClock: { now: () => world.clock.now() + world.clockOffset },
    clockOffset: 0,
    slept: 0,
    slowUntil: 0,
    touched: false,
    violations: [],
    violate: (what) => {
      const at = new Date(world.clock.now()).toISOString();
      world.violations.push(`${at} step ${steps.taken()}: ${what}`);
    },
    counts: {},
  };
  return world;
}

export function countIn(world: LifeWorld, name: string, by = 1): void {
  world.counts[name] = (world.counts[name] ?? 0) + by;
}
