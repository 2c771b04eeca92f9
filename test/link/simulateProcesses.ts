// Three processes over a stepped database with links between them, under drawn faults: everything
// that simulateCluster.ts draws, and links that are cut. Clients at every process send requests.
// No request is executed twice, every answer is true, no replica has ever shown what the log does
// not contain, a read shows everything that was answered before it began, and no row of an executed
// request is removed.

import { createHash } from 'node:crypto';
import {
  type Fate,
  type LinkMistake,
  type ProcessWorld,
  requestsOf,
  type SimulatedProcess,
  startProcess,
} from '../../sim/cluster/simulatedProcess.ts';
import { createSharedRows, type SharedRows } from '../../sim/cluster/simulatedRows.ts';
import { createSteppedLinks } from '../../sim/cluster/steppedLinks.ts';
import { runSteps } from '../../sim/life/runSteps.ts';
import { createSteps } from '../../sim/life/steps.ts';
import type { FollowedBatch } from '../../src/link/following.ts';
import { silentMaxMs } from '../../src/link/pulse.ts';
import type { Lane, Outcome } from '../../src/log/postgres/createLane.ts';
import { LeaseLost } from '../../src/log/postgres/holdLog.ts';
import { createPrng, seedOf } from '../../src/std/prng.ts';
import { createProcessScheduler } from '../log/postgres/processScheduler.ts';
import { scheduleFaults } from '../log/postgres/simulateCluster.ts';
import { createSteppedDatabase, type SteppedDatabase } from '../log/postgres/steppedDatabase.ts';

export type SimulatedProcesses = {
  /** What the run has found wrong; undefined: nothing. */
  readonly violation: string | undefined;
  readonly fates: Readonly<Record<Fate | 'none', number>>;
  readonly batches: number;
  readonly faults: Readonly<Record<string, number>>;
  /** A hash over all that happened: the same for the same seed. */
  readonly trace: string;
};

const clockStart = 1_760_000_000_000;
const machines = 3;

export async function simulateProcesses({
  seed,
  mistakes = [],
  faultyMs = 15_000,
}: {
  readonly seed: number;
  readonly mistakes?: readonly LinkMistake[];
  readonly faultyMs?: number;
}): Promise<SimulatedProcesses> {
  const steps = createSteps();
  const clock = { now: () => clockStart + steps.now() };
  let violation: string | undefined;
  const fail = (why: string): void => {
    violation ??= `${why} (at ${Math.round(steps.now())} ms)`;
  };
  const trace = createHash('sha256');
  const note = (what: string): void => void trace.update(`${steps.now()} ${what}\n`);
  const database = createSteppedDatabase({
    ...{ scheduler: steps, now: clock.now, mistakes: new Set() },
    ...{ prng: createPrng(seedOf(seed, 'database')), onTakeOver: () => {}, onRenewed: () => {} },
  });
  const links = createSteppedLinks(steps, createPrng(seedOf(seed, 'links')));
  const fates = new Map<string, Fate | undefined>();
  const shown: { process: string; position: number; hash: string }[] = [];
  const rows = createSharedRows(steps.now);
  /** Executed requests in the order of their answers, and what reads showed. */
  const answered: string[] = [];
  const reads: Shown['reads'] = [];
  /** By name, as long as they live. */
  const processes = new Map<string, SimulatedProcess>();
  const holders: string[] = [];
  let quiet = false;
  /** From now on every request must find its fate. */
  let calmFrom = Number.POSITIVE_INFINITY;
  const sentAt = new Map<string, number>();

  const drawn = createPrng(seedOf(seed, 'clients'));
  const paceMs = [60, 60, 300, 1500][drawn.below(4)]!;
  const idleMs = [500, Number.POSITIVE_INFINITY][drawn.below(2)]!;

  const startMachine = (index: number) => {
    const prng = createPrng(seedOf(seed, `process ${index}`));
    let starts = 0;
    let pausedUntil = 0;
    let isolatedUntil = 0;
    /** A process that is cut from the database waits, and then its statement is in doubt. */
    const isolable = (lane: Lane): Lane => ({
      ...lane,
      run: (statement) => {
        if (steps.now() >= isolatedUntil) return lane.run(statement);
        const doubt: Outcome = { kind: 'doubt', why: 'the database does not answer' };
        return new Promise((resolve) => {
          steps.after(isolatedUntil - steps.now(), () => resolve(doubt));
        });
      },
    });
    let current: { alive: boolean; process: SimulatedProcess | undefined } | undefined;
    const start = (): void => {
      starts += 1;
      const self = { alive: true, process: undefined as SimulatedProcess | undefined };
      current = self;
      const name = `${index}.${starts}`;
      const scheduler = createProcessScheduler({
        ...{ steps, prng, isAlive: () => self.alive, pausedUntil: () => pausedUntil },
      });
      const world: ProcessWorld = {
        ...{
          clock,
          replicatedStorage: false,
          now: steps.now,
          address: name,
          idleMs,
          mistakes: new Set(mistakes),
        },
        makeLane: () => isolable(database.makeLane(scheduler)),
        read: async ({ position }, to) => {
          const rows = readRows(database, position, to);
          // The connection breaks now and then, before or behind some batches.
          return prng.below(8) > 0 ? rows : rows.slice(0, prng.below(rows.length + 1));
        },
        dial: (holder, side) => links.open(side, (link) => processes.get(holder)!.accept(link)),
        rows,
        isHolder: (holder) => database.visible().lease.holder === holder,
        lastVisible: () => Math.max(0, ...database.visible().batches.keys()),
        findHolder: () => {
          const { holder } = database.visible().lease;
          if (holders.at(-1) !== holder) holders.push(holder);
          // What was read of the lease may be old.
          const isOld = !quiet && prng.below(6) === 0;
          const found = isOld ? (holders.at(-2) ?? holder) : holder;
          return processes.has(found) ? found : undefined;
        },
        onFate: (request, fate) => {
          note(`${request} ${fate}`);
          if (fates.get(request) !== undefined) fail(`${request} was answered twice`);
          const isCalm = sentAt.get(request)! > calmFrom;
          if (isCalm && fate !== 'done') fail(`${request} is ${fate} although nothing fails`);
          fates.set(request, fate);
          if (fate === 'done') answered.push(request);
        },
        onApplied: (process, position, hash) => void shown.push({ process, position, hash }),
        onBreach: (why) => {
          if (mistakes.length === 0) fail(`${name}: ${why}`);
        },
        onStop: (why) => fail(`${name} stops: ${why}`),
        onEnd: (error) => {
          if (!self.alive) return;
          if (error !== undefined && !(error instanceof LeaseLost)) fail(error.message);
          self.alive = false;
          processes.delete(name);
          self.process?.disconnect();
          steps.after(50 + prng.below(500), start);
        },
      };
      self.process = startProcess(world, { name, scheduler, prng });
      processes.set(name, self.process);
      let sent = 0;
      const request = (): void => {
        if (quiet && sent > 0 && prng.below(40) > 0) return void scheduler.after(50, request);
        sent += 1;
        const text = `${name}/${sent}`;
        fates.set(text, undefined);
        sentAt.set(text, steps.now());
        self.process!.request(text);
        scheduler.after(prng.below(paceMs), request);
      };
      request();
      const pace = createPrng(seedOf(seed, `reads of ${name}`));
      const read = (): void => {
        const before = answered.length;
        self.process!.read((position) => reads.push({ process: name, before, position }));
        scheduler.after(pace.below(4 * paceMs), read);
      };
      read();
    };
    steps.after(prng.below(300), start);
    return {
      kill: () => {
        if (current?.alive !== true) return;
        current.alive = false;
        if (current.process !== undefined) {
          processes.delete(current.process.name);
          current.process.disconnect();
        }
        steps.after(50 + prng.below(1000), start);
      },
      pause: (ms: number) => {
        pausedUntil = steps.now() + ms;
        const { process } = current ?? {};
        if (ms > silentMaxMs) steps.after(silentMaxMs, () => process?.disconnect());
      },
      close: () => current?.process?.close(),
      isolate: (ms: number) => {
        isolatedUntil = steps.now() + ms;
      },
      heal: () => {
        pausedUntil = 0;
        isolatedUntil = 0;
      },
    };
  };

  const started = Array.from({ length: machines }, (_, index) => startMachine(index));
  const faults: Record<string, number> = {};
  const faultPrng = createPrng(seedOf(seed, 'faults'));
  scheduleFaults({ steps, database, faults, note }, started, faultPrng, faultyMs);
  const cutMeanMs = 100 + faultPrng.below(2000);
  const cut = (): void => {
    if (steps.now() > faultyMs) return;
    if (links.cutAny()) faults.cut = (faults.cut ?? 0) + 1;
    steps.after(2 * cutMeanMs * faultPrng.unit(), cut);
  };
  steps.after(cutMeanMs, cut);
  const isolate = (): void => {
    if (steps.now() > faultyMs) return;
    started[faultPrng.below(machines)]!.isolate(faultPrng.below(5000));
    faults.isolate = (faults.isolate ?? 0) + 1;
    steps.after(faultPrng.below(8000), isolate);
  };
  steps.after(faultPrng.below(8000), isolate);
  const runUntil = (ms: number): Promise<void> =>
    runSteps(steps, () => violation === undefined && steps.now() < ms);
  await runUntil(faultyMs);
  for (const machine of started) machine.heal();
  const before = [...fates.values()].filter((fate) => fate === 'done').length;
  quiet = true;
  calmFrom = faultyMs + 6000;
  await runUntil(faultyMs + 10_000);
  const after = [...fates.values()].filter((fate) => fate === 'done').length;
  if (violation === undefined && after <= before) fail('no request was executed any more');
  const batches = readRows(database, 0, Number.POSITIVE_INFINITY);
  const wrong = violation ?? whyWrong(batches, fates, { shown, answered, reads, rows });
  for (const machine of started) machine.kill();
  const count = (fate: Fate | undefined): number =>
    [...fates.values()].filter((each) => each === fate).length;
  return {
    violation: wrong,
    fates: {
      ...{ done: count('done'), refused: count('refused'), unknown: count('unknown') },
      none: count(undefined),
    },
    batches: batches.length,
    faults,
    trace: trace.update(`${steps.taken()} steps`).digest('hex'),
  };
}

/** The rows behind a position, without gaps. */
function readRows({ visible }: SteppedDatabase, after: number, to: number): FollowedBatch[] {
  const found: FollowedBatch[] = [];
  const { batches } = visible();
  for (let position = after + 1; position <= to; position += 1) {
    const row = batches.get(position);
    if (row === undefined) break;
    const { hash, previous_hash: previousHash, time, engine_hash: engineHash, count } = row;
    const { commands, origins } = row;
    const content = { commands, origins: origins ?? Buffer.alloc(0) };
    found.push({ position, hash, previousHash, time, engineHash, count, ...content });
  }
  return found;
}

type Shown = {
  readonly shown: readonly {
    readonly process: string;
    readonly position: number;
    readonly hash: string;
  }[];
  readonly answered: readonly string[];
  /** What each read has shown, and how many requests were answered before it began. */
  readonly reads: {
    readonly process: string;
    readonly before: number;
    readonly position: number;
  }[];
  readonly rows: Pick<SharedRows, 'has'>;
};

function whyWrong(
  batches: readonly FollowedBatch[],
  fates: ReadonlyMap<string, Fate | undefined>,
  { shown, answered, reads, rows }: Shown,
): string | undefined {
  const executed = new Map<string, number>();
  const hashes = new Map<number, string>();
  for (const { position, hash, commands } of batches) {
    hashes.set(position, hash.toString('hex'));
    for (const request of requestsOf(commands)) {
      const first = executed.get(request);
      if (first !== undefined) return `${request} was executed in batches ${first}, ${position}`;
      executed.set(request, position);
    }
  }
  for (const { process, position, hash } of shown) {
    if (hashes.get(position) === hash) continue;
    return `${process} has shown batch ${position}, which is not in the log`;
  }
  for (const [request, fate] of fates) {
    if (fate === 'done' && !executed.has(request)) return `${request} was answered, and is lost`;
    if (fate === 'refused' && executed.has(request)) return `${request} was refused and executed`;
  }
  for (const request of executed.keys()) {
    if (!rows.has(request)) return `the row of ${request} is gone, and it was executed`;
  }
  /** The last batch of the first answers. */
  const last = [0];
  for (const request of answered) last.push(Math.max(last.at(-1)!, executed.get(request)!));
  for (const { process, before, position } of reads) {
    if (position >= last[before]!) continue;
    return `${process} has shown batch ${position} when ${last[before]} was answered before`;
  }
  return undefined;
}
