// Two processes of one log in one program, with the parts that the real ones have: the one that
// writes and leads, and one that follows, passes commands on and may be promoted. The log is a
// directory that both see, in the place of the database. The link between them obeys the test, and
// the test takes the turns of the writer.

import { vi } from 'vitest';
import { createFactShare } from '../../src/bin/createFactShare.ts';
import { createForwarder, type Forwarder, walletOf } from '../../src/bin/createForwarder.ts';
import { createLeadGate } from '../../src/bin/createLeadGate.ts';
import { createOrderShare } from '../../src/bin/createOrderShare.ts';
import { createReadBarrier } from '../../src/bin/createReadBarrier.ts';
import { createUseShare } from '../../src/bin/createUseShare.ts';
import type { Candidate, Seat } from '../../src/bin/enterCluster.ts';
import { followHolder } from '../../src/bin/followHolder.ts';
import { leadFollowers } from '../../src/bin/leadFollowers.ts';
import type { Command } from '../../src/engine/command.ts';
import { encodeForwarded } from '../../src/link/forwardedCommand.ts';
import type { ForwardedRequest } from '../../src/link/linkMessage.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import type { Log, LogHead } from '../../src/log/log.ts';
import { placeOf } from '../../src/log/postgres/catchUp.ts';
import { commandBytes } from '../../src/replica/commandBytes.ts';
import { createFollowingReplica } from '../../src/replica/createFollowingReplica.ts';
import { createReplica } from '../../src/replica/createReplica.ts';
import { type Recovered, recoverState } from '../../src/replica/recoverState.ts';
import type { RunningReplica, Waiter } from '../../src/replica/replica.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import type { Clock } from '../../src/std/clock.ts';
import { fileDisk } from '../../src/std/disk.ts';
import {
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
  testChain,
} from '../fixtures/fileReplica.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { createTestWire, type TestWire } from './testWire.ts';

export type LinkedReplicas = {
  readonly holder: RunningReplica;
  readonly follower: RunningReplica;
  readonly holderState: Recovered['state'];
  readonly followerState: Recovered['state'];
  readonly clock: Clock;
  readonly forwarder: Forwarder;
  readonly barrier: ReturnType<typeof createReadBarrier>;
  readonly wire: TestWire;
  /** Resolves with the seat, or rejects with what has stopped the process that follows. */
  readonly following: Promise<Seat>;
  /** The batch of the writer closes, and everything that follows from it has happened. */
  readonly turn: () => Promise<void>;
  /** The process that follows looks at the database, and sees what is durable there. */
  readonly look: () => Promise<void>;
  /** Milliseconds pass for both, by their stopwatches. `stepMs` is the time between two ticks. */
  readonly pass: (milliseconds: number, stepMs?: number) => void;
  /** How often the log has an order that its client calls so. */
  readonly executed: (clientOrderId: string) => number;
  /** What happened, in order: what tests and waiters have noted. */
  readonly seen: string[];
  /** Waits for the outcome of a command, and notes it under this name. */
  readonly waiter: (name: string) => Waiter;
  readonly recordOf: (command: Command) => ForwardedRequest['record'];
  readonly close: () => Promise<void>;
};

/** The names of the two processes. */
export const [process, holderProcess] = ['follower', 'holder'];
const address = '127.0.0.1:1';

/** The log has markets, accounts and some trade. */
export async function openLinkedReplicas(): Promise<LinkedReplicas> {
  const directory = createTemporaryDirectory();
  const before = await openFileReplica(directory.path);
  await before.trade(7, 100);
  await before.close();
  const logDirectory = logDirectoryOf(directory.path);
  const log = await openFileLog({
    directory: logDirectory,
    segmentBytes: 256 * 1024,
    inline: true,
  });
  const recover = (): Recovered =>
    recoverState({
      ...{ disk: fileDisk, log: openLogReader(logDirectory), chainId: testChain },
      ...{ snapshotDirectory: snapshotDirectoryOf(directory.path), skips: createSkipIndex([]) },
      ...{ head: log.head(), engines: testEngines, report: () => {} },
    });
  const [written, recovered] = [recover(), recover()];
  const clock = createManualClock(written.state.time);
  const origins = new Map<number, Buffer>();
  const seen: string[] = [];
  const faults: Error[] = [];
  const scheduler = { after: () => () => {} };
  const sharesOf = (name: string) => ({
    facts: createFactShare({ clock, scheduler }),
    orders: createOrderShare(clock),
    uses: createUseShare({ process: name, clock, scheduler }),
  });
  const steps: (() => void)[] = [];
  const leading = leadFollowers(
    { log: keepOrigins(log, origins), epoch: 1, holder: holderProcess, former: undefined },
    { engineHash: 'ab', ...sharesOf(holderProcess) },
  );
  const holder = createReplica({
    ...{ state: written.state, clock, ...leading.writing },
    ...{ onFatal: (error) => faults.push(error), defer: (step) => steps.push(step) },
  });
  leading.serve(holder);
  const gate = createLeadGate(scheduler);
  gate.lead(leading.listen);
  const wire = createTestWire(process, gate.listen);

  const head = log.head();
  const { position } = head;
  const { exchange } = recovered.state;
  const shares = sharesOf(process);
  const forwarder = createForwarder({ process, position, exchange, orders: shares.orders });
  let passed = 0;
  const barrier = createReadBarrier(position, () => passed);
  const place = placeOf(head);
  const follower = createFollowingReplica({
    ...{ state: recovered.state, place, skips: createSkipIndex([]), clock },
    ...{ forward: forwarder.forward, whenCurrent: barrier.whenCurrent },
    waiting: () => barrier.waiting() + forwarder.waiting(),
  });
  let followed: LogHead = head;
  let wake = (): void => {};
  const candidate = {
    options: {
      ...{ stand: () => {}, config: { vault: '' }, journal: { info: () => {} } },
      directory: { log: logDirectory },
    },
    thread: {
      ...{ followed: () => followed, opened: () => undefined, take: () => {} },
      ...{ hurry: () => {}, linked: () => {}, becomeReady: () => {} },
      originsOf: (at: number) => origins.get(at) ?? Buffer.alloc(0),
      forgetOrigins: () => {},
      seen: () => ({ released: false, holder: 'holder', address }),
    },
    ...{ link: { dial: wire.dial, ...shares }, holder: process, recovered, head, skips: [] },
    rest: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    wake: () => wake(),
  } as unknown as Candidate;
  const archivist = { follow: () => {} };
  const following = followHolder({
    ...{ candidate, replica: follower, place, archivist, forwarder, barrier },
  });
  following.catch(() => {});

  const began = performance.now();
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => began + passed);
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 12; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    ...{
      holder,
      follower,
      clock,
      holderState: written.state,
      followerState: recovered.state,
      forwarder,
      barrier,
      wire,
      following,
      seen,
    },
    turn: async () => {
      await settle();
      for (const step of steps.splice(0)) step();
      await settle();
      if (faults.length > 0) throw faults[0];
    },
    look: async () => {
      followed = log.head();
      wake();
      await settle();
    },
    pass: (milliseconds, stepMs = 200) => {
      for (let left = milliseconds; left > 0; left -= stepMs) {
        passed += Math.min(left, stepMs);
        forwarder.tick();
        barrier.tick();
        leading.tick();
      }
    },
    executed: (clientOrderId) => {
      const name = Buffer.from(clientOrderId);
      return [...openLogReader(logDirectory).read(1)].filter(({ commands }) =>
        commands.includes(name),
      ).length;
    },
    waiter: (name) => ({
      capture: ({ kind }) => seen.push(`${name} ${kind}`),
      release: () => seen.push(`${name} out`),
      refuse: (reason) => seen.push(`${name} ${reason}`),
    }),
    recordOf: (command) => {
      const wallet = walletOf(command, exchange);
      const bytes = commandBytes(command);
      const [key, caller] = [undefined, undefined];
      return encodeForwarded({ lane: 'order', wallet, key, caller, command: bytes });
    },
    close: async () => {
      stopwatch.mockRestore();
      wire.cut();
      holder.stop();
      await log.close();
      directory[Symbol.dispose]();
    },
  };
}

/** The files of a log have no room for them; the tables of a database do. */
function keepOrigins(log: Log, kept: Map<number, Buffer>): Log {
  return {
    ...log,
    append: (entry) => {
      const position = log.append(entry);
      if (entry.origins !== undefined) kept.set(position, entry.origins);
      return position;
    },
  };
}
