// What must be true at the end of a run: the log alone gives the same state, both from its first
// batch and from a snapshot, and the same tables of history as those that grew during the run.

import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import type { HistoryPlace, HistoryWriter } from '../../src/history/history.ts';
import type { TableName } from '../../src/history/rows.ts';
import { changingTables, tableNames, tables } from '../../src/history/tables.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readSkips } from '../../src/log/file/skip.ts';
import type { LogPlace } from '../../src/log/log.ts';
import { beginning, newestOf } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import type { ReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { hashHex } from '../../src/std/hash.ts';
import { checkState } from './checkRecovery.ts';
import { chainId, engines, type LifeWorld, logDirectory, snapshotDirectory } from './lifeWorld.ts';
import { type Hashes, hashesOf } from './memory.ts';

export type Final = Hashes & { readonly eventHash: string };

export function finalOf(state: ReplicaState): Final {
  return { ...hashesOf(state), eventHash: hashHex(state.eventHash) };
}

export async function checkEnd(world: LifeWorld, final: Final): Promise<void> {
  const { disk } = world.disk;
  const { state, place } = beginning(chainId, engines);
  replayTo(world, { state, place }, { final, from: 'the first batch' });
  checkState(world, state.exchange, 'the end of the replay');
  // Any snapshot except the newest, which is of the end itself; a damaged one is skipped for an
  // older one.
  const snapshots = { disk, directory: snapshotDirectory };
  const positions = listSnapshots(snapshots).slice(0, -1);
  const drawn = positions.slice(0, 1 + world.prngOf('end').below(positions.length));
  const begun = newestOf(snapshots, drawn, { engines, report: () => {} });
  const from = `the snapshot of batch ${begun?.place.position}`;
  if (begun !== undefined) replayTo(world, begun, { final, from });
  await checkHistory(world, final.position);
}

function replayTo(
  world: LifeWorld,
  { state, place }: { readonly state: ReplicaState; readonly place: LogPlace },
  { final, from }: { readonly final: Final; readonly from: string },
): void {
  const { disk } = world.disk;
  const skips = createSkipIndex(readSkips(logDirectory, disk));
  replayLog(state, place, { log: openLogReader(logDirectory, disk), skips });
  const found = finalOf(state);
  for (const name of ['position', 'stateHash', 'priceHash', 'eventHash'] as const) {
    if (found[name] === final[name]) continue;
    world.violate(`${name} was ${final[name]}, a replay from ${from} gives ${found[name]}`);
  }
}

type Row = Readonly<Record<string, unknown>>;

/** A writer into memory, which keeps the last state of every row. */
function createRowKeeper(): HistoryWriter & { readonly rows: Map<TableName, Map<string, Row>> } {
  const rows = new Map(tableNames.map((name) => [name, new Map<string, Row>()]));
  const counters = { ledger: 0, amendments: 0, aggregates: [] };
  const empty: HistoryPlace = { position: 0, hash: '', time: 0, counters };
  return {
    rows,
    open: async () => empty,
    write: async (written) => {
      for (const name of tableNames) {
        for (const row of written[name] as readonly Row[])
          rows.get(name)!.set(keyOf(name, row), row);
      }
      for (const name of changingTables) {
        for (const row of written.changed[name] as readonly Row[])
          rows.get(name)!.set(keyOf(name, row), row);
      }
    },
    close: async () => {},
  };
}

const keyOf = (name: TableName, row: Row): string =>
  tables[name].key.map((column) => String(row[column])).join(' ');

async function checkHistory(world: LifeWorld, toPosition: number): Promise<void> {
  const { disk } = world.disk;
  const skips = createSkipIndex(readSkips(logDirectory, disk));
  const keeper = createRowKeeper();
  const log = openLogReader(logDirectory, disk);
  await rebuildHistory({ writer: keeper, log, chainId, skips, engines, toPosition });
  const reader = world.database.openReader();
  try {
    const { position } = await reader.selectFrom('place').selectAll().executeTakeFirstOrThrow();
    if (position !== toPosition) {
      world.violate(`history tells ${position} batches of ${toPosition}`);
    }
    for (const name of tableNames) {
      const grown = (await reader.selectFrom(name).selectAll().execute()) as readonly Row[];
      compareTable(world, name, { grown, rebuilt: keeper.rows.get(name)! });
    }
  } finally {
    await reader.destroy();
  }
}

function compareTable(
  world: LifeWorld,
  name: TableName,
  { grown, rebuilt }: { readonly grown: readonly Row[]; readonly rebuilt: Map<string, Row> },
): void {
  const columns = Object.keys(tables[name].columns);
  for (const row of grown) {
    const key = keyOf(name, row);
    const other = rebuilt.get(key);
    rebuilt.delete(key);
    const differs = other === undefined ? 'the row' : columns.find((c) => row[c] !== other[c]);
    if (differs === undefined) continue;
    const both = `${JSON.stringify(row)}, rebuilt ${JSON.stringify(other)}`;
    world.violate(`history: ${name} ${key} differs in ${differs}: it has ${both}`);
    return;
  }
  const [missing] = rebuilt.keys();
  if (missing !== undefined) world.violate(`history: ${name} does not have ${missing}`);
}
