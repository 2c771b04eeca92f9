// The first thing that a new engine does on a log. It keeps the state at the log's end, as the old
// engine left it, in a snapshot, takes the state over, and appends the activation. Then it takes
// its own first snapshot. After a crash between any two of these steps the next start can continue.

import type { Log } from '../log/log.ts';
import { encodeActivation, handOver, takeEngine } from './activation.ts';
import { EngineLeft, type EngineRange, EngineRefused, shortHash } from './engines.ts';
import type { Recovered } from './recoverState.ts';
import { engineHashOf } from './replicaState.ts';
import { type SnapshotPlace, writeSnapshot } from './snapshotFile.ts';

export type ActivateEngine = {
  /** The state at the log's head. */
  readonly recovered: Recovered;
  readonly log: Log;
  readonly snapshots: SnapshotPlace;
  /** Receives a sentence that another engine has taken over. */
  readonly report: (message: string) => void;
};

/**
 * The present engine runs the log from here on; if it already did, this returns at once. Throws
 * `EngineLeft` when the log has moved on from this engine to a later one, and `EngineRefused` when
 * the engine cannot take the state over. Rejects with the failures of disk and log. Cost of a
 * takeover: two snapshots, and the state twice in memory.
 */
export async function activateEngine(options: ActivateEngine): Promise<void> {
  const { recovered, log, snapshots, report } = options;
  const { state } = recovered;
  const { hash, engine } = state.engines.present;
  const from = engineHashOf(state);
  if (state.position === 0 || from === hash) return;
  checkForward(state.ran, hash);
  const { activation, handed } = handOver(state, hash);
  const { failures } = engine.checkInvariants(handed.exchange);
  if (failures[0] !== undefined) {
    throw new EngineRefused(
      `engine ${shortHash(hash)} cannot follow ${shortHash(from)}: in the state that it would ` +
        `begin with an invariant is broken: ${failures[0]}`,
    );
  }
  if (recovered.snapshot !== state.position) {
    writeSnapshot(snapshots, state, log.head().hash.toString('hex'));
  }
  const commands = encodeActivation(activation);
  await appended(log, { time: state.time, engineHash: hash, count: 1, commands });
  takeEngine(state, hash, handed);
  writeSnapshot(snapshots, state, log.head().hash.toString('hex'));
  report(
    `engine ${shortHash(hash)} takes over from ${shortHash(from)} with batch ${state.position}: ` +
      `state ${activation.stateHashBefore} becomes ${activation.stateHashAfter}`,
  );
}

/** Throws `EngineLeft` when the engine ran the log before its last engine did. */
export function checkForward(ran: readonly EngineRange[], hash: string): void {
  const last = ran.at(-1);
  const left = ran.findLast((range) => range.hash === hash);
  if (last === undefined || left === undefined || left === last) return;
  throw new EngineLeft(
    `the log was last run by engine ${shortHash(last.hash)} (from batch ${last.from} on), which ` +
      `came after this release's engine ${shortHash(hash)} (from batch ${left.from} on). A log ` +
      'does not go back to an older engine: start the release of that engine, or a newer one',
  );
}

function appended(log: Log, entry: Parameters<Log['append']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    log.onFailure(reject);
    log.onDurable(() => resolve());
    log.append(entry);
  });
}
