// Plays the batches of an engine's log through the replica that trades, into a log on files.

import { setTimeout as wait } from 'node:timers/promises';
import { type DataDirectory, makeDataDirectory } from '../src/bin/dataDirectory.ts';
import { decodeCommand } from '../src/engine/codec/commandCodec.ts';
import type { Command } from '../src/engine/command.ts';
import type { Outcome } from '../src/engine/outcome.ts';
import { openFileLog } from '../src/log/file/openFileLog.ts';
import type { Log } from '../src/log/log.ts';
import { createReplica } from '../src/replica/createReplica.ts';
import { keepEngine, openKeptEngines } from '../src/replica/keptEngines.ts';
import {
  createReplicaState,
  type Figures,
  type ReplicaState,
} from '../src/replica/replicaState.ts';
import { createByteReader } from '../src/std/bytes.ts';
import type { EngineLog } from './engineLog.ts';
import { check } from './report.ts';

const chain = 43113;

export type ThroughReplica = {
  /** Commands a second in the timed part; undefined: as many as go through. */
  readonly perSecond?: number;
  /** Starts what follows the log, and gives what receives the figures of durable batches. */
  readonly follow?: (begun: {
    readonly directory: DataDirectory;
    readonly log: Log;
    readonly state: ReplicaState;
  }) => (figures: Figures) => void;
};

export type WentThrough = {
  readonly log: Log;
  readonly state: ReplicaState;
  readonly submitted: number;
  /** From the first submission to the release of the last answer. */
  readonly seconds: number;
};

/** All of it is durable when this resolves; the log stays open. */
export async function playThroughReplica(
  path: string,
  engineLog: EngineLog,
  { perSecond, follow }: ThroughReplica = {},
): Promise<WentThrough> {
  const batches = engineLog.batches.map(({ bytes, commands, ...batch }) => ({
    ...batch,
    commands: decodeAll(bytes, commands),
  }));
  const directory = makeDataDirectory(path, chain);
  const log = await openFileLog({ directory: directory.log });
  const engines = openKeptEngines(directory.engines, await keepEngine(directory.engines));
  const state = createReplicaState(chain, engines);
  const onFigures = follow?.({ directory, log, state });
  const clock = { time: 0, now: () => clock.time };
  let close: (() => void) | undefined;
  let wake = (): void => {};
  let released = 0;
  const replica = createReplica({
    state,
    log,
    clock,
    defer: (step) => {
      close = step;
    },
    onDurable: (figures) => {
      onFigures?.(figures);
      wake();
    },
    onFatal: (error) => {
      throw error;
    },
  });
  const waiter = {
    capture: ({ kind }: Outcome) => check(kind === 'accepted', 'a command was rejected'),
    release: () => {
      released += 1;
    },
  };
  const pace = createPace(perSecond);
  const started = performance.now();
  let submitted = 0;
  for (const { time, timed, commands } of batches) {
    if (timed) await pace(commands.length);
    while (!log.ready()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // The stream's own time, so that its events are the same, down to their hash.
    clock.time = time;
    for (const command of commands) {
      check(replica.submit(command, 'order', waiter), 'there was no room for a command');
    }
    submitted += commands.length;
    close?.();
  }
  await replica.drain();
  const seconds = (performance.now() - started) / 1000;
  check(released === submitted, `${released} of ${submitted} answers came out`);
  return { log, state, submitted, seconds };
}

/** Waits until it is the turn of so many commands more, by a plan that begins with the first. */
function createPace(perSecond: number | undefined): (commands: number) => Promise<void> {
  let began: number | undefined;
  let planned = 0;
  return async (commands) => {
    if (perSecond === undefined) return;
    began ??= performance.now();
    const aheadMs = began + (planned / perSecond) * 1000 - performance.now();
    planned += commands;
    // A timer takes a millisecond at least.
    if (aheadMs > 1) await wait(aheadMs);
  };
}

function decodeAll(bytes: Buffer, count: number): Command[] {
  const reader = createByteReader(bytes);
  return Array.from({ length: count }, () => decodeCommand(reader).command);
}
