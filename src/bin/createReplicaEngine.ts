// The engine as the chain service and its signers see it: the replica that writes the log, and the
// archivist, which is a replica of its own.

import type { Hex } from 'viem';
import type { RunningArchivist } from '../archivist/startArchivist.ts';
import type { FactResult } from '../chain/chainEngine.ts';
import { commandOf, resultOf } from '../chain/commandOf.ts';
import type { Report } from '../chain/report/report.ts';
import type { LogSide } from '../chain/service/startChainThread.ts';
import { openByIds, viewOf } from '../chain/viewOf.ts';
import type { Command } from '../engine/command.ts';
import type { RunningReplica } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';

export type ReplicaEngineOptions = {
  readonly replica: Pick<RunningReplica, 'exchange' | 'submit' | 'whyRefused' | 'whenDurable'>;
  readonly archivist: { readonly invariants: () => Promise<{ readonly ok: boolean }> } & Pick<
    RunningArchivist,
    'judgeReport' | 'isPublished' | 'nextReport' | 'newestTree' | 'judgeTree'
  >;
  readonly clock: Clock;
};

/** How long one full check of the money counts, milliseconds. */
const checkedMs = 60_000;

export function createReplicaEngine(options: ReplicaEngineOptions): LogSide {
  const { replica, archivist, clock } = options;
  const { exchange } = replica;
  const durable = (): Promise<void> => new Promise((resolve) => replica.whenDurable(resolve));
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    view: async (part) => {
      const view = viewOf(exchange, part);
      await durable();
      return view;
    },
    submit: (facts) =>
      Promise.all(
        facts.map((fact) => {
          const command = commandOf(fact);
          // No withdrawal of any exchange has this id.
          return command === undefined ? 'known' : submitOne(replica, command);
        }),
      ),
    openByIds: async (ids) => {
      const open = openByIds(exchange, ids);
      await durable();
      return open;
    },
    isConserved: async () => {
      if (clock.now() - checkedAt < checkedMs) return true;
      const { ok } = await archivist.invariants();
      if (ok) checkedAt = clock.now();
      return ok;
    },
    judgeReport: async (report) =>
      isCountable(report) ? archivist.judgeReport(placesOf(report)) : 'ahead',
    isPublished: async (report) => isCountable(report) && archivist.isPublished(placesOf(report)),
    newestTree: async () => (await archivist.newestTree()) ?? undefined,
    judgeTree: (claim) => archivist.judgeTree(claim, false),
    judgeAnchor: (claim) => archivist.judgeTree(claim, true),
    nextReport: async (after, sequence) => {
      const next = await archivist.nextReport(Number(after), Number(sequence));
      if (typeof next === 'string') return next;
      const { from, to, digest } = next;
      return { from: BigInt(from), to: BigInt(to), digest: digest as Hex };
    },
  };
}

/** No log has more batches. */
const isCountable = ({ to }: Report): boolean => to <= BigInt(Number.MAX_SAFE_INTEGER);

const placesOf = ({ sequence, from, to, digest }: Report) => ({
  ...{ sequence: Number(sequence), from: Number(from), to: Number(to), digest },
});

/** Resolves when the command is durable. */
function submitOne(
  { submit, whyRefused }: ReplicaEngineOptions['replica'],
  command: Command,
): Promise<FactResult> {
  return new Promise((resolve, reject) => {
    let result: FactResult = 'refused';
    const isTaken = submit(command, 'reserve', {
      capture: (outcome) => {
        result = resultOf(outcome);
      },
      release: () => resolve(result),
      refuse: (reason) => reject(new Error(`the log does not take facts: ${reason}`)),
    });
    if (!isTaken) reject(new Error(`the log does not take facts: ${whyRefused('reserve')}`));
  });
}
