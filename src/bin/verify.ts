// `evermark verify`: replays a data directory from its first batch without a server, compares every
// snapshot on the way and the ledger of history, and checks every invariant at the end.

import { ConfigError, loadConfig } from '../config.ts';
import { checkInvariants } from '../engine/invariants.ts';
import { priceHash, stateHash } from '../engine/stateHash.ts';
import { readLogHead } from '../log/file/readLogHead.ts';
import { readSkips } from '../log/file/skip.ts';
import { LogDamaged } from '../log/log.ts';
import { PoisonCommand } from '../replica/applyBatch.ts';
import { beginning } from '../replica/recoverState.ts';
import { type LogPlace, replayLog } from '../replica/replayLog.ts';
import { figuresOf, type ReplicaState } from '../replica/replicaState.ts';
import { createSkipIndex } from '../replica/skipIndex.ts';
import { listSnapshots, readSnapshot, SnapshotDamaged } from '../replica/snapshotFile.ts';
import { type DataDirectory, findDataDirectory } from './dataDirectory.ts';
import {
  checkHistory,
  type HistoryFinding,
  type HistorySums,
  readHistorySums,
} from './historySums.ts';
import { historyWhere } from './historyWhere.ts';
import type { VerbIo } from './operatorVerb.ts';
import { printJson } from './printJson.ts';

type SnapshotFinding = { readonly position: number; readonly ok: boolean; readonly why?: string };

/** Gives the exit code: 0 when everything holds. Changes nothing, and may run beside a server. */
export async function runVerify(args: readonly string[], io: VerbIo): Promise<number> {
  const config = loadConfig(args, io.environment);
  const directory = findDataDirectory(config.data);
  try {
    const history = await readHistorySums(historyWhere(config, directory));
    const report = verifyDirectory(directory, history);
    printJson(io, report);
    return report.ok ? 0 : 1;
  } catch (error) {
    const found = error instanceof LogDamaged || error instanceof PoisonCommand;
    if (!found || error instanceof ConfigError) throw error;
    printJson(io, { ok: false, failure: error.message });
    return 1;
  }
}

/**
 * Without `history` that is not looked at; as a sentence it says why it cannot be. Throws
 * `LogDamaged` and `PoisonCommand`. Cost: the time of a full replay.
 */
export function verifyDirectory(directory: DataDirectory, history?: HistorySums | string) {
  const head = readLogHead(directory.log);
  const skips = readSkips(directory.log);
  const replay = { directory: directory.log, skips: createSkipIndex(skips) };
  const { state, place } = beginning(directory.chainId);
  const positions = listSnapshots(directory.snapshots);
  const snapshots: SnapshotFinding[] = [];
  const sums = typeof history === 'object' ? history : undefined;
  let found: HistoryFinding | string | undefined =
    typeof history === 'string' ? history : undefined;
  let at: LogPlace = place;
  const stops = new Set(sums === undefined ? positions : [...positions, sums.place.position]);
  for (const position of [...stops].sort((one, other) => one - other)) {
    if (position <= head.position) {
      at = replayLog(state, at, { ...replay, toPosition: position });
    }
    if (sums?.place.position === position) found = checkHistory(sums, state.exchange, at);
    if (positions.includes(position)) snapshots.push(checkSnapshot(directory, state, at, position));
  }
  at = replayLog(state, at, { ...replay, toPosition: head.position });
  const invariants = checkInvariants(state.exchange);
  const { eventHash, commands, events } = figuresOf(state);
  return {
    ok:
      invariants.ok &&
      snapshots.every(({ ok }) => ok) &&
      (found === undefined || (typeof found === 'object' && found.ok)),
    chain_id: directory.chainId,
    position: at.position,
    batch_hash: at.hash,
    time: new Date(state.time).toISOString(),
    commands,
    events,
    event_hash: eventHash,
    state_hash: stateHash(state.exchange),
    price_hash: priceHash(state.exchange),
    skipped: skips,
    snapshots,
    history: typeof found === 'string' ? { ok: false, why: found } : (found ?? null),
    invariants,
  };
}

function checkSnapshot(
  { snapshots }: DataDirectory,
  state: ReplicaState,
  at: LogPlace,
  position: number,
): SnapshotFinding {
  if (at.position !== position) {
    return { position, ok: false, why: `the log ends before it, at batch ${at.position}` };
  }
  try {
    const { head } = readSnapshot(snapshots, position);
    const { high, low } = state.eventHash;
    const same =
      head.batchHash === at.hash &&
      head.stateHash === stateHash(state.exchange) &&
      head.priceHash === priceHash(state.exchange) &&
      head.eventHash.high === high &&
      head.eventHash.low === low;
    return same ? { position, ok: true } : { position, ok: false, why: 'replay gives another' };
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    return { position, ok: false, why: error.message };
  }
}
