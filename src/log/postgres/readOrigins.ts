// What stands beside the last batches of the log, which the local segments do not keep: for a
// process that starts and counts what those before it have counted.

import type pg from 'pg';

export type BesideBatch = { readonly count: number; readonly origins: Buffer };

/** Rows of one question. */
const rowsMax = 2000;

/** Of the batches up to this position that are not older than `since`; the newest comes first. */
export async function readOrigins(
  client: pg.Client,
  { position, since }: { readonly position: number; readonly since: number },
): Promise<BesideBatch[]> {
  const found: BesideBatch[] = [];
  let to = position;
  while (to > 0) {
    const { rows } = await client.query(
      'select position, time, count, origins from evermark.batch ' +
        `where position <= $1 order by position desc limit ${rowsMax}`,
      [to],
    );
    for (const { time, count, origins } of rows) {
      if (time < since) return found;
      if (origins !== null) found.push({ count, origins });
    }
    const last = rows.at(-1);
    if (last === undefined) return found;
    to = last.position - 1;
  }
  return found;
}
