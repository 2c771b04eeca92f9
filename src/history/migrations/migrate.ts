// Brings the tables of history to the form that this program knows: it runs the numbered steps that
// have not run yet, counted in the row of `place`. A released step never changes.

import { HistoryForked, HistoryTooNew, HistoryTooOld } from '../history.ts';
import type { HistoryDatabase, PlaceRow } from '../historyTables.ts';
import { addLegs } from './addLegs.ts';
import { createFirstTables } from './createFirstTables.ts';
import { createReferralDays } from './createReferralDays.ts';
import { createTable, type DatabaseKind } from './createTable.ts';
import { indexFilters } from './indexFilters.ts';

/** Tables of earlier versions were never released, and no step leads on from them. */
const firstVersion = 2;

/**
 * The step at index 0 leads from nothing to the first version, the step at index n from the nth
 * version to the next; all run in one transaction.
 */
const migrations = [createFirstTables, createReferralDays, addLegs, indexFilters];

export type Migrate = {
  /** A transaction, during which no other process migrates. */
  readonly database: HistoryDatabase;
  readonly kind: DatabaseKind;
  readonly chain: number;
};

/**
 * Makes the tables, or brings them up to date. Throws `HistoryForked` when they belong to another
 * chain, `HistoryTooNew` when a later program made them, `HistoryTooOld` when a program before the
 * first release made them.
 */
export async function migrate({ database, kind, chain }: Migrate): Promise<void> {
  const integers = 'position time chain version';
  await createTable(database, kind, { name: 'place', integers, texts: 'hash counters' });
  const found = await database.selectFrom('place').selectAll().executeTakeFirst();
  const place: PlaceRow = found ?? { ...nothing, chain };
  if (found === undefined) await database.insertInto('place').values(place).execute();
  if (place.chain !== chain) {
    throw new HistoryForked(
      `The history in this database belongs to chain ${place.chain}, not ${chain}: every ` +
        'deployment needs its own database.',
    );
  }
  const version = firstVersion + migrations.length - 1;
  if (place.version > version) {
    throw new HistoryTooNew(
      `The history in this database has version ${place.version}, and this program knows none ` +
        `above ${version}: start the program that made it, or give this one an empty database.`,
    );
  }
  if (place.version > 0 && place.version < firstVersion) {
    throw new HistoryTooOld(
      `The history in this database has version ${place.version}, which this program cannot ` +
        'read: move the file away, or name an empty database, and start, or make it anew first ' +
        'with: evermark history rebuild',
    );
  }
  if (place.version === version) return;
  const done = place.version === 0 ? 0 : place.version - firstVersion + 1;
  for (const step of migrations.slice(done)) await step(database, kind);
  await database.updateTable('place').set({ version }).execute();
}

const nothing = {
  position: 0,
  hash: '',
  time: 0,
  counters: JSON.stringify({ ledger: 0, amendments: 0, aggregates: [] }),
  version: 0,
};
