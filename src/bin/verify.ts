// `evermark verify`: replays a data directory from its first batch without a server. It compares
// every snapshot on the way and the ledger of history, and checks every invariant at the end.

import { figuresText } from '../api/operator/figuresText.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { readSkips } from '../log/file/skip.ts';
import type { LogBatch, LogPlace } from '../log/log.ts';
import { LogDamaged } from '../log/log.ts';
import { checkForward } from '../replica/activateEngine.ts';
import { handOver } from '../replica/activation.ts';
import { PoisonCommand } from '../replica/applyBatch.ts';
import { EngineRefused } from '../replica/engines.ts';
import { checkKept, openKeptEngines } from '../replica/keptEngines.ts';
import { beginning } from '../replica/recoverState.ts';
import { replayLog } from '../replica/replayLog.ts';
import { engineHashOf, figuresOf, type ReplicaState } from '../replica/replicaState.ts';
import { createSkipIndex, type SkipRecord, wholeBatch } from '../replica/skipIndex.ts';
import { listSnapshots, readSnapshot, SnapshotDamaged } from '../replica/snapshotFile.ts';
import { createProgress } from '../std/progress.ts';
import { type AnchorClaims, createAnchorCheck } from './createAnchorCheck.ts';
import { createReportCheck, type ReportClaims } from './createReportCheck.ts';
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
import { readAnchorClaims, takeAnchorsOption } from './readAnchorClaims.ts';
import { readReportClaims, takeReportsOption } from './readReportClaims.ts';

type SnapshotFinding = { readonly position: number; readonly ok: boolean; readonly why?: string };

/** What was verified is right, and nodes of the chain could not be asked for the rest. */
const exitUnasked = 3;

/**
 * Gives the exit code: 0 when all checks pass, 1 when one does not. Changes nothing, and may run
 * beside a server.
 */
export async function runVerify(args: readonly string[], io: VerbIo): Promise<number> {
  const { rest, source } = takeReportsOption(args);
  const { rest: settings, isAsked } = takeAnchorsOption(rest);
  const config = loadConfig(settings, io.environment);
  const directory = findDataDirectory(config.data);
  try {
    const history = await readHistorySums(historyWhere(config, directory));
    const unasked: string[] = [];
    // The replay of a long log is worth having without an answer of a chain.
    const asking = async <T>(what: string, asked: Promise<T>): Promise<T | undefined> => {
      try {
        return await asked;
      } catch (error) {
        if (error instanceof ConfigError) throw error;
        unasked.push(
          `the ${what} of the vault could not be asked for: ${(error as Error).message}`,
        );
        return undefined;
      }
    };
    const reports = source && (await asking('reports', readReportClaims(config, source.file)));
    const anchors = isAsked
      ? ((await asking('anchors', readAnchorClaims(config, directory))) ??
        (await readAnchorClaims({ vault: '', rpc: '' }, directory)))
      : undefined;
    const claims = { ...(reports && { reports }), ...(anchors && { anchors }) };
    const report = verifyDirectory(directory, history, claims);
    printJson(io, unasked.length === 0 ? report : { ...report, ok: false, unasked });
    for (const each of unasked) io.complain(each);
    if (!report.ok) return 1;
    return unasked.length === 0 ? 0 : exitUnasked;
  } catch (error) {
    const found =
      error instanceof LogDamaged ||
      error instanceof PoisonCommand ||
      error instanceof EngineRefused;
    if (!found || error instanceof ConfigError) throw error;
    printJson(io, { ok: false, failure: error.message });
    return 1;
  }
}

/**
 * Without `history` the ledger of history is not compared; as a sentence `history` says why it
 * cannot be. Throws `LogDamaged`, `PoisonCommand` and `EngineRefused`. Cost: the time of a full
 * replay.
 */
export function verifyDirectory(
  directory: DataDirectory,
  history?: HistorySums | string,
  claims: Claims = {},
) {
  const log = openLogReader(directory.log);
  const head = log.head();
  const skips = readSkips(directory.log);
  const progress = createProgress({ what: 'verify', total: head.position });
  const engines = openKeptEngines(directory.engines);
  const { state, place } = beginning(directory.chainId, engines);
  const checks = openChecks(state, claims);
  const replay = {
    log,
    skips: createSkipIndex(skips),
    onBatch: ({ position, previousHash }: Pick<LogBatch, 'position' | 'previousHash'>) => {
      progress.reached(position);
      checks.endBatch(previousHash.toString('hex'));
    },
  };
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
  progress.end();
  checks.endBatch(at.hash);
  const compared = checks.findings();
  for (const { hash } of state.ran) checkKept(directory.engines, hash);
  const { engine, exchange } = state;
  const invariants = engine.checkInvariants(exchange);
  const { eventHash, commands, events } = figuresOf(state);
  const upgrade = checkUpgrade(state);
  return {
    ok:
      [invariants, ...snapshots].every(({ ok }) => ok) &&
      upgrade?.ok !== false &&
      Object.values(compared).every(({ ok }) => ok) &&
      (found === undefined || (typeof found === 'object' && found.ok)),
    ...{ chain_id: directory.chainId, position: at.position, batch_hash: at.hash },
    time: new Date(state.time).toISOString(),
    ...{ commands, events, event_hash: eventHash },
    ...{ state_hash: engine.stateHash(exchange), price_hash: engine.priceHash(exchange) },
    ...{ engines: state.ran, upgrade },
    ...{ skipped: skips.map(shownSkip), snapshots },
    history: typeof found === 'string' ? { ok: false, why: found } : (found ?? null),
    ...compared,
    invariants: { ...invariants, figures: figuresText(invariants.figures) },
  };
}

/** Of the chain, or of published files; undefined: they are not compared. */
export type Claims = {
  readonly reports?: ReportClaims;
  readonly anchors?: AnchorClaims;
};

function openChecks(state: ReplicaState, { reports, anchors }: Claims) {
  const reported = reports && createReportCheck(state, reports);
  const anchored = anchors && createAnchorCheck(state, anchors);
  return {
    endBatch: (batchHash: string): void => {
      reported?.endBatch();
      anchored?.endBatch(batchHash);
    },
    findings: () => ({
      ...(reported && { reports: reported.findings() }),
      ...(anchored && { anchors: anchored.findings() }),
    }),
  };
}

const shownSkip = ({ position, index }: SkipRecord) => ({
  position,
  index: index === wholeBatch ? 'batch' : index,
});

type UpgradeFinding =
  | { readonly engine: string; readonly ok: true; readonly state_hash: string }
  | { readonly engine: string; readonly ok: false; readonly why: string };

/** Whether this release's engine could take over here; null when it runs the log already. */
function checkUpgrade(state: ReplicaState): UpgradeFinding | null {
  const { hash } = state.engines.present;
  if (state.position === 0 || engineHashOf(state) === hash) return null;
  try {
    checkForward(state.ran, hash);
    const { activation } = handOver(state, hash);
    return { engine: hash, ok: true, state_hash: activation.stateHashAfter };
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    return { engine: hash, ok: false, why: error.message };
  }
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
    const { engine, engines, exchange } = state;
    const { head } = readSnapshot(snapshots, position, engines);
    const { high, low } = state.eventHash;
    const same =
      head.batchHash === at.hash &&
      head.stateHash === engine.stateHash(exchange) &&
      head.priceHash === engine.priceHash(exchange) &&
      head.eventHash.high === high &&
      head.eventHash.low === low;
    return same ? { position, ok: true } : { position, ok: false, why: 'replay gives another' };
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    return { position, ok: false, why: error.message };
  }
}
