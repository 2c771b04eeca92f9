// Reads batches back from PostgreSQL, in parts of bounded size, and checks each: its hash is
// computed anew, and it must follow its predecessor. Only batches that are known to be durable may
// be read: the tables also show what the next holder may remove.

import type pg from 'pg';
import { type LogBatch, LogDamaged, type LogEntry, type LogHead, type LogPlace } from '../log.ts';
import { readStatement } from './statement.ts';
import { flightAfter } from './tenure.ts';

/** The commands of one part, if no single batch has more. */
const partBytes = 4 * 1024 * 1024;

/**
 * The batches after `after` up to `durablePosition`. Throws `LogDamaged` when one is missing or is
 * not what its hash says.
 */
export async function* readPostgresBatches(
  client: pg.Client,
  after: LogPlace,
  durablePosition: number,
): AsyncGenerator<LogBatch, void, undefined> {
  let before: LogHead = { position: after.position, hash: Buffer.from(after.hash, 'hex'), time: 0 };
  while (before.position < durablePosition) {
    const { name, text, values } = readStatement(before.position + 1, durablePosition, partBytes);
    const { rows } = await client.query({ name, text, values: [...values] });
    if (rows.length === 0) throw damaged(before.position + 1, 'is not there');
    for (const row of rows) {
      const batch = batchOf(row);
      checkBatch(batch, before);
      before = batch;
      yield batch;
    }
  }
}

function checkBatch(batch: LogBatch, before: LogHead): void {
  const { position, hash, previousHash, time } = batch;
  const expected = before.position + 1;
  if (position !== expected) throw damaged(expected, 'is not there');
  if (!previousHash.equals(before.hash)) throw damaged(position, 'does not follow its predecessor');
  if (time < before.time) throw damaged(position, 'is older than its predecessor');
  if (!flightAfter(before, batch).hash.equals(hash)) throw damaged(position, 'is not what it was');
}

function batchOf(row: Readonly<Record<string, unknown>>): LogBatch {
  const { previous_hash: previousHash, engine_hash: engineHash, origins, ...others } = row;
  return { ...others, previousHash, engineHash, origins: origins ?? undefined } as LogBatch;
}

const damaged = (position: number, what: string): LogDamaged =>
  new LogDamaged(`the log in PostgreSQL: batch ${position} ${what}`);

/** The batch that this entry becomes behind this one. */
export const batchAfter = (before: LogHead, entry: LogEntry & { readonly commands: Buffer }) => ({
  ...flightAfter(before, entry),
  commands: entry.commands,
});
