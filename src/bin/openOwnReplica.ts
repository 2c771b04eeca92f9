// A replica of its own for a signer: made of the log in a data directory, which another process
// writes or copies, and kept at that log's end. It changes nothing there and takes no lock.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { EngineView } from '../chain/chainEngine.ts';
import type { SignerReplica } from '../chain/signers/createCheck.ts';
import { NotSigned } from '../chain/signers/signer.ts';
import type { VaultPlace } from '../chain/vaultTypes.ts';
import { openByIds, viewOf } from '../chain/viewOf.ts';
import { recordOfId } from '../chain/withdrawalId.ts';
import { ConfigError } from '../config.ts';
import { vaultOf } from '../engine/views/vault.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { type LogTail, openLogTail } from '../log/file/openLogTail.ts';
import { readSkips } from '../log/file/skip.ts';
import type { LogPlace } from '../log/log.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import { shortHash } from '../replica/engines.ts';
import { openKeptEngines } from '../replica/keptEngines.ts';
import { beginning, newestSnapshot } from '../replica/recoverState.ts';
import { engineHashOf, type ReplicaState } from '../replica/replicaState.ts';
import { createSkipIndex } from '../replica/skipIndex.ts';
import {
  createTreeMaker,
  type TreeMaker,
  type TreeMakerOptions,
} from '../solvency/createTreeMaker.ts';
import { stopwatchMs, systemClock } from '../std/clock.ts';
import { fileDisk } from '../std/disk.ts';
import { finish } from '../std/finish.ts';
import type { DataDirectory } from './dataDirectory.ts';

export type OwnReplica = SignerReplica & {
  /** The vault to which the log is bound. */
  readonly place: VaultPlace;
  /** The last batch that was applied, and its time. */
  readonly standing: () => { readonly position: number; readonly time: number };
  /** Applies what the log has. Rejects when the log or the state is broken; then it must end. */
  readonly follow: () => Promise<void>;
  /** Makes trees for some milliseconds; false when there is none to make. */
  readonly makeTrees: () => boolean;
  /** The oldest open withdrawals. */
  readonly open: (count: number) => EngineView['open'];
  readonly close: () => void;
};

/** Other requests are answered between two steps. */
const stepMs = 20;
/** An idle exchange writes a batch each second. Cost of looking anew: reads the last segment. */
const quietMs = 30_000;
/** How long one full check of the money counts, milliseconds. */
const checkedMs = 60_000;

export type OwnReplicaOptions = {
  readonly report: (message: string) => void;
  /** Stretches of trees (VLT-8), milliseconds; undefined: it makes none. */
  readonly treeIntervalMs?: number;
  readonly stopwatch?: () => number;
};

/**
 * Cost: the time of a start. Throws `ConfigError` when the log is bound to no vault, `LogDamaged`,
 * `PoisonCommand` and `EngineRefused`.
 */
export async function openOwnReplica(
  directory: DataDirectory,
  { report, treeIntervalMs, stopwatch = stopwatchMs }: OwnReplicaOptions,
): Promise<OwnReplica> {
  const { chainId, snapshots, log } = directory;
  const engines = openKeptEngines(directory.engines);
  const begun =
    newestSnapshot({
      disk: snapshots.disk,
      snapshotDirectory: snapshots.directory,
      ...{ chainId, engines, report },
      head: openLogReader(log).head(),
    }) ?? beginning(chainId, engines);
  const { state } = begun;
  const skips = createSkipIndex(readSkips(log));
  const tail = tailOf(log, begun.place, stopwatch);
  const trees =
    treeIntervalMs === undefined ? undefined : openTrees({ chainId, report }, treeIntervalMs);
  trees?.begin(state);
  const follow = async (): Promise<void> => {
    for (;;) {
      const began = stopwatchMs();
      while (stopwatchMs() - began < stepMs) {
        const batch = tail.next();
        if (batch === undefined) return;
        applyBatch(state, batch, skips);
        const { exchange, position, time } = state;
        const moment = { exchange, position, time, batchHash: batch.hash.toString('hex') };
        if (trees !== undefined) finish(trees.passed(moment));
      }
      await nextTurn();
    }
  };
  await follow();
  checkEngine(state);
  const binding = vaultOf(state.exchange);
  if (binding === undefined) {
    tail.close();
    throw new ConfigError(`The log in ${directory.path} is bound to no vault.`);
  }
  return {
    place: { chainId, vault: binding.address as Hex },
    ...readsOf(state, follow),
    judgeTree: async (claim) => {
      await follow();
      return trees?.judge(claim) ?? 'unknown';
    },
    makeTrees: () => trees?.work(systemClock.now() + stepMs) ?? false,
    standing: () => ({ position: state.position, time: state.time }),
    follow,
    close: tail.close,
  };
}

/** They are made, and not published: this process signs what it has made itself. */
const openTrees = (
  options: Pick<TreeMakerOptions, 'chainId' | 'report'>,
  intervalMs: number,
): TreeMaker => createTreeMaker({ ...options, intervalMs, place: undefined, clock: systemClock });

/**
 * The batches behind a place. When none comes for a while the files are opened anew: a process that
 * copies a log may have replaced the file that is open here.
 */
function tailOf(directory: string, after: LogPlace, stopwatch: () => number): LogTail {
  const open = (): LogTail => openLogTail({ disk: fileDisk, directory, after: place });
  let place = after;
  let tail = open();
  let movedAt = stopwatch();
  return {
    next: () => {
      let batch = tail.next();
      if (batch === undefined && stopwatch() - movedAt > quietMs) {
        tail.close();
        tail = open();
        movedAt = stopwatch();
        batch = tail.next();
      }
      if (batch === undefined) return undefined;
      movedAt = stopwatch();
      place = { position: batch.position, hash: batch.hash.toString('hex') };
      return batch;
    },
    close: () => tail.close(),
  };
}

function readsOf(
  state: ReplicaState,
  follow: () => Promise<void>,
): Pick<OwnReplica, 'openByIds' | 'isConserved' | 'open'> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    openByIds: async (ids) => {
      await follow();
      checkEngine(state);
      const found = openByIds(state.exchange, ids);
      const later = ids.find(
        (id, at) => found[at] === undefined && (recordOfId(id)?.createdAt ?? 0) >= state.time,
      );
      if (later === undefined) return found;
      const detail = `${later} was requested after batch ${state.position} of this replica`;
      throw new NotSigned('behind', detail);
    },
    isConserved: async () => {
      if (stopwatchMs() - checkedAt < checkedMs) return true;
      const { ok } = state.engine.checkInvariants(state.exchange);
      if (ok) checkedAt = stopwatchMs();
      return ok;
    },
    open: (count) => {
      checkEngine(state);
      return viewOf(state.exchange, { from: 0, count }).open;
    },
  };
}

/** The state of another engine is another object than the one that is read here. */
function checkEngine(state: ReplicaState): void {
  const { hash } = state.engines.present;
  const own = engineHashOf(state);
  if (own === hash || state.position === 0) return;
  const detail = `engine ${shortHash(own)} runs the log, and this release has ${shortHash(hash)}`;
  throw new NotSigned('otherEngine', detail);
}
