// A process that starts reads what stands beside the batches of the last minute.

import { expect, test } from 'vitest';
import { readOrigins } from '../../../src/log/postgres/readOrigins.ts';
import { connect, makeDatabase, openTestSession, sharedServer } from './openServers.ts';

test('batches of the last minute are read up to a position, the newest first', async () => {
  const url = await makeDatabase(sharedServer);
  const client = await connect(url);
  await client.query(
    'insert into evermark.batch (position, epoch, previous_hash, hash, time, engine_hash, count, ' +
      "commands, origins) select n, 1, '', '', 1000 * n, '', 2, '', " +
      "case when n % 2 = 0 then convert_to(n::text, 'UTF8') end from generate_series(1, 5000) n",
  );
  const session = await openTestSession(url);
  const found = await readOrigins(session.client, { position: 4400, since: 1_500_000 });
  expect(found.length).toBe(1451);
  expect(String(found[0]!.origins)).toBe('4400');
  expect(found.at(-1)).toMatchObject({ count: 2, origins: Buffer.from('1500') });
  expect(await readOrigins(session.client, { position: 0, since: 0 })).toEqual([]);
});
