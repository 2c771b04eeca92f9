// Divides the table of the batches, which an earlier release made as one, into partitions, while
// processes may write. The table becomes the first partition as it is. From then on a program of
// an earlier release refuses the tables: it would not make the next partition.
//
// Three steps, of which none stops writers for long: the table promises that it ends before the
// next range; the server reads it and finds the promise kept; it becomes the first partition. A
// program that is killed between two steps leaves the promise behind, and the log waits at that
// range: the name of the promise, which PostgreSQL then shows, says what to do.

import type pg from 'pg';
import { must } from '../../std/assert.ts';
import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { lockBriefly } from './lockBriefly.ts';
import { lifeOf } from './members.ts';
import { boundName, dividedVersion, divisionStatements, firstEnding } from './partitions.ts';
import { tablesLock } from './tables.ts';
import { watchMembers } from './watchMembers.ts';

export type Division =
  /** Each partition has so many positions. */
  | { readonly kind: 'divided'; readonly positions: number }
  /** These processes are of a release that knows no partitions, and may live. */
  | { readonly kind: 'waits'; readonly processes: readonly string[] };

/** Over tables that have all additions. Throws `DatabaseRefused`, and may be repeated. */
export async function divideLog(client: pg.Client, scheduler: Scheduler): Promise<Division> {
  const { version, positions } = await readSize(client);
  if (version >= dividedVersion) return { kind: 'divided', positions };
  const former = await findFormer(client, scheduler);
  if (former.length > 0) return { kind: 'waits', processes: former };
  // One program at a time.
  await client.query('select pg_advisory_lock($1)', [tablesLock]);
  try {
    return await divide(client, scheduler);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [tablesLock]);
  }
}

/** The processes of an earlier release that may live. */
async function findFormer(client: pg.Client, scheduler: Scheduler): Promise<string[]> {
  const sights = await watchMembers(client, scheduler);
  return [...sights.values()]
    .filter((sight) => sight.row.archived === undefined)
    .filter((sight) => lifeOf(sight, stopwatchMs()) !== 'gone')
    .map(({ row }) => row.process);
}

async function divide(client: pg.Client, scheduler: Scheduler): Promise<Division> {
  const { version, last, positions } = await readSize(client);
  if (version >= dividedVersion) return { kind: 'divided', positions };
  await removeBounds(client, scheduler);
  const next = firstEnding(last, positions);
  const bound = `${boundName(next)} check (position < ${next}) not valid`;
  await lockBriefly(client, scheduler, [`alter table evermark.batch add constraint ${bound}`]);
  let isDivided = false;
  try {
    await client.query(`alter table evermark.batch validate constraint ${boundName(next)}`);
    // The server has read the whole table: one may have begun meanwhile.
    const former = await findFormer(client, scheduler);
    if (former.length > 0) return { kind: 'waits', processes: former };
    const { last: now } = await readSize(client);
    await lockBriefly(client, scheduler, divisionStatements(now, next));
    isDivided = true;
    return { kind: 'divided', positions };
  } finally {
    if (!isDivided) await removeBounds(client, scheduler);
  }
}

type Size = { readonly version: number; readonly positions: number; readonly last: number };

async function readSize(client: pg.Client): Promise<Size> {
  const { rows } = await client.query<Size>(
    'select version, partition_positions as positions, (select coalesce(max(position), 0) ' +
      'from evermark.batch)::bigint as last from evermark.deployment',
  );
  return must(rows[0], 'the tables have an owner');
}

/** Removes the promises of divisions that did not end. */
async function removeBounds(client: pg.Client, scheduler: Scheduler): Promise<void> {
  const { rows } = await client.query(
    "select conname as name from pg_constraint where conrelid = 'evermark.batch'::regclass " +
      `and conname like '${boundName('%')}'`,
  );
  const drops = rows.map(({ name }) => `alter table evermark.batch drop constraint ${name}`);
  if (drops.length > 0) await lockBriefly(client, scheduler, drops);
}
