// The witness: a second exchange that reads the durable log from its first batch on and never
// crashes. The program's statements are compared with it. It shows every step to auditors, which
// trust events alone.

import { decodeCommand, skipCommand } from '../../../src/engine/codec/commandCodec.ts';
import type { Command } from '../../../src/engine/command.ts';
import type { Event } from '../../../src/engine/event.ts';
import type { Exchange } from '../../../src/engine/exchange.ts';
import type { Outcome } from '../../../src/engine/outcome.ts';
import type { LogBatch } from '../../../src/log/log.ts';
import { applyNext, openBatch } from '../../../src/replica/applyBatch.ts';
import { createReplicaState, type ReplicaState } from '../../../src/replica/replicaState.ts';
import { createByteReader } from '../../../src/std/bytes.ts';
import { testEngines } from '../../../test/fixtures/testEngines.ts';

/** One command of the log and its outcome, or the timers at the beginning of a batch. */
export type Step = {
  /** Steps are numbered from 1 over all batches. */
  readonly index: number;
  readonly exchange: Exchange;
  readonly events: readonly Event[];
  readonly command: Command | undefined;
  readonly outcome: Outcome | undefined;
};

/** Checks every step; gives what is wrong with it. */
export type Auditor = (step: Step) => readonly string[];

export type Witness = {
  readonly state: ReplicaState;
  readonly auditors: readonly Auditor[];
  /** The last step. */
  index: number;
  events: Event[];
};

export function createWitness(chainId: number, auditors: readonly Auditor[]): Witness {
  const witness: Witness = {
    state: createReplicaState(chainId, testEngines),
    auditors,
    index: 0,
    events: [],
  };
  witness.state.onEvents = (events) => {
    witness.events.push(...events);
  };
  return witness;
}

/** Reads batches that follow what it has read; gives what the auditors found. */
export function readOn(
  witness: Witness,
  batches: Iterable<LogBatch>,
  isSkipped: (position: number, index: number) => boolean,
): string[] {
  const found: string[] = [];
  const { state } = witness;
  for (const batch of batches) {
    openBatch(state, batch.position, batch.time);
    found.push(...audit(witness, undefined, undefined));
    const reader = createByteReader(batch.commands);
    for (let index = 0; index < batch.count; index += 1) {
      if (isSkipped(batch.position, index)) {
        skipCommand(reader);
        state.commands += 1;
        continue;
      }
      const { command, deadline } = decodeCommand(reader);
      const outcome = applyNext(state, command, deadline, index);
      found.push(...audit(witness, command, outcome));
    }
  }
  return found;
}

function audit(
  witness: Witness,
  command: Command | undefined,
  outcome: Outcome | undefined,
): string[] {
  const { events, auditors, state } = witness;
  witness.events = [];
  witness.index += 1;
  const step = { index: witness.index, exchange: state.exchange, events, command, outcome };
  return auditors.flatMap((auditor) =>
    auditor(step).map((wrong) => `step ${step.index} (batch ${state.position}): ${wrong}`),
  );
}
