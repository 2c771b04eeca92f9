// The fence on a real server, in many rounds: four connections write as fast as they can while
// another one takes the lease over. After the takeover no row of the old epoch may appear. A fence
// that looks at the lease without locking it lets rows through, so the test can fail.

import { expect, test } from 'vitest';
import { emptyHead } from '../../../src/log/file/frame.ts';
import type { Lease } from '../../../src/log/postgres/candidacy.ts';
import {
  lookStatement,
  type Statement,
  takeOverStatement,
  writeStatement,
} from '../../../src/log/postgres/statement.ts';
import { flightAfter } from '../../../src/log/postgres/tenure.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { entryOf, makeDatabase, openTestSession, sharedServer } from './openServers.ts';

const roundsMin = 40;
/** A race that a busy machine may avoid for long. */
const roundsMax = 400;
const sample = flightAfter(emptyHead, entryOf('a batch'));

const withoutLock = (statement: Statement): Statement => ({
  ...statement,
  name: 'write without lock',
  text: statement.text.replace('for key share', ''),
});

type Change = (statement: Statement) => Statement;

/** How many rows of an old epoch appeared after its end; it may stop when there are some. */
async function countLateRows(
  change: Change,
  rounds: number,
): Promise<{ late: number; written: number }> {
  const url = await makeDatabase(sharedServer);
  const sessions = await Promise.all(Array.from({ length: 5 }, () => openTestSession(url)));
  const [taker, ...lanes] = sessions.map(({ client }) => client);
  const prng = createPrng(1);
  let position = 0;
  let late = 0;
  for (let round = 0; round < rounds && late === 0; round += 1) {
    const { rows } = await taker!.query({ ...lookStatement, values: [] });
    const lease = rows[0] as Lease;
    const writer = { epoch: lease.epoch, holder: lease.holder, replicatedStorage: true };
    let writing = true;
    const writers = lanes.map(async (client) => {
      while (writing) {
        position += 1;
        const { values, ...statement } = change(
          writeStatement(writer, { ...sample, position }, emptyHead),
        );
        await client.query({ ...statement, values: [...values] });
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 5 + prng.below(30)));
    const next = { holder: `holder ${round}`, address: '' };
    const { values, ...statement } = takeOverStatement(lease, next);
    const taken = await taker!.query({ ...statement, values: [...values] });
    expect(taken.rowCount).toBe(1);
    const count = `select count(*)::integer as rows from evermark.batch where epoch = $1`;
    const atTakeOver = await taker!.query(count, [lease.epoch]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    writing = false;
    await Promise.all(writers);
    const atEnd = await taker!.query(count, [lease.epoch]);
    late += atEnd.rows[0].rows - atTakeOver.rows[0].rows;
  }
  const all = await taker!.query('select count(*)::integer as rows from evermark.batch');
  return { late, written: all.rows[0].rows };
}

test('after a takeover no row of the old epoch appears', async () => {
  const { late, written } = await countLateRows((statement) => statement, roundsMin);
  expect(written).toBeGreaterThan(roundsMin);
  expect(late).toBe(0);
});

test('a fence without its lock lets rows through', async () => {
  const { late } = await countLateRows(withoutLock, roundsMax);
  expect(late).toBeGreaterThan(0);
});
