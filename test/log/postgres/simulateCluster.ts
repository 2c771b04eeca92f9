// Two processes over a stepped database, under faults that a seed draws: messages that are late or
// lost, a standby that stands still, cancelled waits, promotions, processes that are killed, stand
// still or close. Each process is the real holder of the log; only the database is a model.

import { createHash } from 'node:crypto';
import { runSteps } from '../../../sim/life/runSteps.ts';
import { createSteps, type Steps } from '../../../sim/life/steps.ts';
import { type LogHead, type LogPlace, logBeginning } from '../../../src/log/log.ts';
import { leaseMs } from '../../../src/log/postgres/candidacy.ts';
import { type HeldLog, holdLog, LeaseLost } from '../../../src/log/postgres/holdLog.ts';
import { joinMembers, type Membership } from '../../../src/log/postgres/joinMembers.ts';
import { createPrng, type Prng, seedOf } from '../../../src/std/prng.ts';
import { createProcessScheduler } from './processScheduler.ts';
import {
  createSteppedDatabase,
  type Mistake,
  type SteppedDatabase,
  type StoredBatch,
} from './steppedDatabase.ts';

export type Simulated = {
  /** What the run has found wrong; undefined: nothing. */
  readonly violation: string | undefined;
  readonly acknowledged: number;
  readonly epochs: number;
  /** The engines of the log, in their order. */
  readonly ran: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
  /** A hash over all that happened, and when: the same for the same seed. */
  readonly trace: string;
};

export type Simulate = {
  readonly seed: number;
  readonly mistakes?: readonly Mistake[];
  /** Whether the operator changes the holder now and then. */
  readonly handovers?: boolean;
  /** Virtual time with faults. */
  readonly faultyMs?: number;
  /** Three processes of several releases: each start draws one of these engines. */
  readonly engines?: readonly string[];
  /** A mistake: a process with a newer engine takes the lease although an older one lives. */
  readonly blindTurn?: boolean;
};

/** What was promised, by every process. */
type Promises = {
  /** Acknowledged heads by position: the hash of one covers all before it. */
  readonly heads: Map<number, string>;
  last: number;
  /** Which commands were acknowledged, and where. */
  readonly commands: Map<string, number>;
  /** Until when the holders hold the lease. */
  readonly heldUntil: Map<string, number>;
};

type World = {
  readonly steps: Steps;
  readonly database: SteppedDatabase;
  readonly promises: Promises;
  readonly faults: Record<string, number>;
  /** Takes down what happened. */
  readonly note: (what: string) => void;
  readonly fail: (why: string) => void;
} & Required<Pick<Simulate, 'engines' | 'blindTurn'>>;

const clockStart = 1_760_000_000_000;
const processes = 2;

export async function simulateCluster(options: Simulate): Promise<Simulated> {
  const { seed, mistakes = [], handovers = true, faultyMs = 20_000 } = options;
  const { engines = ['ab'], blindTurn = false } = options;
  const steps = createSteps();
  let violation: string | undefined;
  const fail = (why: string): void => {
    violation ??= `${why} (at ${Math.round(steps.now())} ms)`;
  };
  const trace = createHash('sha256');
  const note = (what: string): void => void trace.update(`${steps.now()} ${what}\n`);
  const promises: Promises = {
    heads: new Map(),
    last: 0,
    commands: new Map(),
    heldUntil: new Map(),
  };
  const database = createSteppedDatabase({
    scheduler: steps,
    now: () => clockStart + steps.now(),
    prng: createPrng(seedOf(seed, 'database')),
    mistakes: new Set(mistakes),
    onTakeOver: ({ holder, released }) => {
      note(`takeover from ${holder}`);
      const until = promises.heldUntil.get(holder) ?? 0;
      if (!released && until > steps.now()) fail(`the lease of ${holder} was taken over too early`);
      checkTurn(world);
    },
    onRenewed: (holder, sentAt) => promises.heldUntil.set(holder, sentAt - clockStart + leaseMs),
  });
  const world: World = {
    ...{ steps, database, promises, faults: {}, note, fail, engines, blindTurn },
  };
  const count = engines.length === 1 ? processes : 3;
  const machines = Array.from({ length: count }, (_, index) =>
    startMachine(world, index, createPrng(seedOf(seed, `process ${index}`))),
  );
  scheduleFaults(world, machines, createPrng(seedOf(seed, 'faults')), faultyMs);
  if (handovers) {
    scheduleHandovers(world, machines, createPrng(seedOf(seed, 'handovers')), faultyMs);
  }
  const runUntil = (ms: number): Promise<void> =>
    runSteps(steps, () => violation === undefined && steps.now() < ms);
  await runUntil(faultyMs);
  // Without faults of its own making, the cluster must work again.
  const before = promises.last;
  for (const machine of machines) machine.heal();
  await runUntil(faultyMs + 12_000);
  if (violation === undefined && promises.last <= before) fail('nothing was acknowledged any more');
  if (violation === undefined) checkEnd(world);
  for (const machine of machines) machine.kill();
  return {
    violation,
    acknowledged: promises.last,
    epochs: database.visible().lease.epoch,
    ran: enginesRan(world),
    faults: world.faults,
    trace: trace.update(`${steps.taken()} steps`).digest('hex'),
  };
}

type Machine = {
  readonly kill: () => void;
  readonly pause: (ms: number) => void;
  readonly close: () => void;
  /** Gives the lease to the process that runs there; false when that cannot be. */
  readonly handOver: (to: Machine) => boolean;
  readonly holder: () => string;
  readonly engine: () => string;
  /** From now on nothing happens to it. */
  readonly heal: () => void;
};

/** A process. */
type Self = {
  alive: boolean;
  readonly holder: string;
  readonly engine: string;
  log: HeldLog | undefined;
};

/** A machine on which a process is started again whenever it has ended. */
function startMachine(world: World, index: number, prng: Prng): Machine {
  const { steps } = world;
  let known: LogPlace = logBeginning;
  let starts = 0;
  let pausedUntil = 0;
  let current: Self = { alive: false, holder: '', engine: '', log: undefined };

  const start = (): void => {
    starts += 1;
    const holder = `${index}.${starts}`;
    const { engines } = world;
    const engine = engines[engines.length === 1 ? 0 : prng.below(engines.length)]!;
    const self: Self = { alive: true, holder, engine, log: undefined };
    current = self;
    const scheduler = createProcessScheduler({
      ...{ steps, prng },
      isAlive: () => self.alive,
      pausedUntil: () => pausedUntil,
    });
    const end = (error: Error | undefined): void => {
      if (!self.alive) return;
      if (error !== undefined && !(error instanceof LeaseLost)) world.fail(error.message);
      self.alive = false;
      steps.after(50 + prng.below(500), start);
    };
    const work = (log: HeldLog): void => {
      self.log = log;
      if (isLeft(world, engine)) return leave((held) => held.close());
      let given = log.head().position;
      const ids = new Map<number, string>();
      log.onDurable((head) => {
        acknowledgeHead(world, head, ids);
        known = { position: head.position, hash: head.hash.toString('hex') };
      });
      log.onFailure(end);
      const append = (): void => {
        if (!log.ready()) return void scheduler.after(1 + prng.below(10), append);
        given += 1;
        const id = `${holder} ${given}`;
        ids.set(given, id);
        const entry = { time: clockStart, engineHash: engine, count: 1, commands: Buffer.from(id) };
        if (log.append(entry) !== given) world.fail('a batch has another position than its turn');
        scheduler.after(prng.below(3) === 0 ? 0 : prng.below(25), append);
      };
      append();
    };
    const membership = engines.length === 1 ? undefined : joinIn(world, self, scheduler);
    const watchLeft = (): void => {
      if (isLeft(world, engine)) end(undefined);
      else scheduler.after(300, watchLeft);
    };
    if (engines.length > 1) watchLeft();
    holdLog({
      ...{ holder, scheduler, report: () => {}, replicatedStorage: false },
      known: () => known,
      address: 'here',
      clock: { now: () => clockStart + steps.now() },
      stopwatch: steps.now,
      makeLane: () => world.database.makeLane(scheduler),
      watch: {
        seen: () => {},
        mayTakeOver: () => world.blindTurn || membership?.barredBy(lastEngine(world)) === undefined,
        renewed: () => {},
      },
    }).then(work, end);
  };
  const leave = (close: (log: HeldLog) => Promise<void>): void => {
    const self = current;
    if (self.log === undefined) return;
    void close(self.log).then(() => {
      if (!self.alive) return;
      self.alive = false;
      steps.after(50 + prng.below(500), start);
    });
  };
  steps.after(prng.below(300), start);
  return {
    kill: () => {
      if (!current.alive) return;
      current.alive = false;
      steps.after(50 + prng.below(1000), start);
    },
    pause: (ms) => {
      pausedUntil = steps.now() + ms;
    },
    close: () => leave((log) => log.close()),
    handOver: (to) => {
      const heir = to.holder();
      if (heir === '' || heir === current.holder || current.log === undefined) return false;
      if (to.engine() !== current.engine) return false;
      leave((log) => log.handOver({ holder: heir, address: 'there' }));
      return true;
    },
    holder: () => (current.alive ? current.holder : ''),
    engine: () => current.engine,
    heal: () => {
      pausedUntil = 0;
    },
  };
}

function joinIn(
  { steps, database }: World,
  self: Self,
  scheduler: Parameters<SteppedDatabase['makeLane']>[0],
): Membership {
  return joinMembers({
    ...{ scheduler, stopwatch: steps.now, lane: database.makeLane(scheduler) },
    describe: () => ({
      ...{ process: self.holder, address: 'here', release: '1', engineHash: self.engine },
      role: self.log === undefined ? 'follower' : 'holder',
      position: 0,
    }),
    onHandover: () => {},
    report: () => {},
  });
}

/** The engines of the log, in their order. */
function enginesRan({ database }: Pick<World, 'database'>): string[] {
  const batches = [...database.visible().batches.values()];
  batches.sort((a, b) => a.position - b.position);
  const all = batches.map(({ engine_hash: engine }) => engine);
  return all.filter((engine, index) => engine !== all[index - 1]);
}

const lastEngine = (world: World): string => enginesRan(world).at(-1) ?? '';

/** Whether the log has moved on from this engine. */
function isLeft(world: World, engine: string): boolean {
  const ran = enginesRan(world);
  return ran.includes(engine) && ran.at(-1) !== engine;
}

/**
 * When a process with another engine takes the lease, no process with the log's has been there for
 * a while, as far as the database could show.
 */
function checkTurn(world: World): void {
  const { database, steps, fail, engines } = world;
  if (engines.length === 1) return;
  const { lease, members } = database.visible();
  const own = members.get(lease.holder)?.engineHash;
  const logEngine = lastEngine(world);
  if (own === undefined || logEngine === '' || own === logEngine) return;
  const now = clockStart + steps.now();
  for (const { process, engineHash, at, steadySince } of members.values()) {
    if (process === lease.holder || engineHash !== logEngine) continue;
    // The latest beats may not have been seen yet; those before them have been.
    const isSeen = now - at < 500 && now - steadySince > steadyMs;
    if (isSeen) fail(`${lease.holder} takes over while ${process} lives`);
  }
}

/** A process whose beats came without a gap for so long was seen alive in the last two seconds. */
const steadyMs = 3000;

function acknowledgeHead(
  { promises, note, fail }: World,
  { position, hash }: LogHead,
  ids: Map<number, string>,
): void {
  const text = hash.toString('hex');
  note(`acknowledged ${position} ${text}`);
  if ((promises.heads.get(position) ?? text) !== text) {
    fail(`batch ${position} was acknowledged twice, with different content`);
  }
  promises.heads.set(position, text);
  promises.last = Math.max(promises.last, position);
  for (const [at, id] of ids) {
    if (at > position) continue;
    promises.commands.set(id, at);
    ids.delete(at);
  }
}

type Fault = { readonly name: string; readonly rate: number; readonly strike: () => boolean };

/** Each run has faults of its own: some often, some seldom, some never. */
export function scheduleFaults(
  { steps, database, faults, note }: Pick<World, 'steps' | 'database' | 'faults' | 'note'>,
  machines: readonly Pick<Machine, 'kill' | 'pause' | 'close'>[],
  prng: Prng,
  untilMs: number,
): void {
  const any = () => machines[prng.below(machines.length)]!;
  const done = (act: () => void): boolean => {
    act();
    return true;
  };
  const all: readonly Fault[] = [
    { name: 'kill', rate: 3000, strike: () => done(() => any().kill()) },
    { name: 'pause', rate: 3000, strike: () => done(() => any().pause(prng.below(4000))) },
    { name: 'close', rate: 6000, strike: () => done(() => any().close()) },
    { name: 'cancelWait', rate: 60, strike: database.cancelWait },
    { name: 'terminate', rate: 60, strike: database.terminate },
    {
      name: 'stallLane',
      rate: 1500,
      strike: () => done(() => database.stallLane(1000 + prng.below(3000))),
    },
    {
      // A primary without its standby, whose waits are cancelled by hand until it dies.
      name: 'loseCancelled',
      rate: 4000,
      strike: () =>
        done(() => {
          database.freezeStandby(true);
          const untilMs = steps.now() + prng.below(1500);
          const cancel = (): void => {
            database.cancelWait();
            if (steps.now() < untilMs) steps.after(prng.below(100), cancel);
            else database.failOver(prng.below(500));
          };
          cancel();
        }),
    },
    {
      name: 'freezeStandby',
      rate: 2500,
      strike: () =>
        done(() => {
          database.freezeStandby(true);
          steps.after(prng.below(1500), () => database.freezeStandby(false));
        }),
    },
    {
      name: 'failOver',
      rate: 4000,
      strike: () => done(() => database.failOver(prng.below(1500))),
    },
  ];
  for (const { name, rate, strike } of all) {
    if (prng.below(4) === 0) continue;
    const meanMs = rate * (0.3 + 2 * prng.unit());
    const again = (): void => {
      if (steps.now() > untilMs) return;
      if (strike()) {
        faults[name] = (faults[name] ?? 0) + 1;
        note(name);
      }
      steps.after(meanMs * 2 * prng.unit(), again);
    };
    steps.after(meanMs * 2 * prng.unit(), again);
  }
}

/** The lease goes from one process to another, as the operator wants it. */
function scheduleHandovers(
  { steps, faults, note }: World,
  machines: readonly Machine[],
  prng: Prng,
  untilMs: number,
): void {
  const again = (): void => {
    if (steps.now() > untilMs) return;
    const count = machines.length;
    const [from, to] = [machines[prng.below(count)]!, machines[prng.below(count)]!];
    if (from.handOver(to)) {
      faults.handOver = (faults.handOver ?? 0) + 1;
      note('handOver');
    }
    steps.after(prng.below(3000), again);
  };
  steps.after(prng.below(3000), again);
}

/** Every promise holds in the log, and the log is one chain with one writer in each epoch. */
function checkEnd({ database, promises, fail }: World): void {
  const batches = [...database.visible().batches.values()].toSorted(
    (a, b) => a.position - b.position,
  );
  const ran = enginesRan({ database });
  if (new Set(ran).size !== ran.length) return fail(`the log goes back: ${ran.join(' ')}`);
  const commands = new Map<string, number>();
  const writers = new Map<number, string>();
  let before: Pick<StoredBatch, 'position' | 'hash' | 'epoch'> = {
    position: 0,
    hash: Buffer.alloc(32),
    epoch: 0,
  };
  for (const batch of batches) {
    const { position, hash, previous_hash: previous, epoch, holder } = batch;
    // Behind the promises, a batch that was cut may leave a hole.
    if (position > promises.last) break;
    if (position !== before.position + 1) return fail(`batch ${before.position + 1} is missing`);
    if (!previous.equals(before.hash)) return fail(`batch ${position} breaks the chain`);
    if (epoch < before.epoch) return fail(`batch ${position} is of an older epoch`);
    if ((writers.get(epoch) ?? holder) !== holder) return fail(`epoch ${epoch} has two writers`);
    writers.set(epoch, holder);
    const promised = promises.heads.get(position);
    if (promised !== undefined && promised !== hash.toString('hex')) {
      return fail(`batch ${position} is not the one that was acknowledged`);
    }
    const id = batch.commands.toString();
    if (commands.has(id)) return fail(`the commands "${id}" are in the log twice`);
    commands.set(id, position);
    before = batch;
  }
  if (before.position < promises.last) return fail('acknowledged batches are missing');
  for (const [id, at] of promises.commands) {
    if (commands.get(id) !== at) return fail(`the acknowledged commands "${id}" are lost`);
  }
}
