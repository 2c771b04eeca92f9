// Everything is lost but the data directory of one process. Goal: its copy of the log becomes the
// deployment under the same hashes and can go into a new database; and as long as the former one
// answers, or the operator does not know where the copy ends, nothing changes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCluster } from '../../../src/bin/cluster.ts';
import { findDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { readLogPlace } from '../../../src/bin/deploymentMark.ts';
import { runMove } from '../../../src/bin/move.ts';
import { fileDisk } from '../../../src/std/disk.ts';
import { freePort } from '../../fixtures/freePort.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { sharedServer } from './openServers.ts';
import { hashIn, makeLog } from './typeMove.ts';

test('a copy outlives its database, and stays a copy while the database may live', async () => {
  using place = createTemporaryDirectory();
  const data = join(place.path, 'data');
  const printed: string[] = [];
  const io = (url: string) => ({
    environment: { EVERMARK_CLUSTER_URL: url },
    print: (line: string) => void printed.push(line),
    complain: (line: string) => void printed.push(line),
  });
  const here = ['--data', data, '--replicated-storage'];
  const alive = await sharedServer.createDatabase();
  const gone = `postgres://127.0.0.1:${await freePort()}/evermark`;
  const rescue = (url: string, ...last: string[]) =>
    runCluster(['rescue', ...last, ...here], io(url));
  const hash = await makeLog(data, 20);
  await expect(rescue(gone, '20')).rejects.toThrow('is on files already');
  expect(await runMove(['--to', 'cluster', ...here], io(alive))).toBe(0);

  await expect(rescue(alive, '20')).rejects.toThrow('has the deployment, so nothing is lost');
  const other = `${gone},${alive}`;
  await expect(rescue(other, '20')).rejects.toThrow('has the deployment');
  const unfit = runCluster(['rescue', '20', '--data', data], io(`${gone},${alive}`));
  await expect(unfit).rejects.toThrow('A server of the database answers');
  await expect(rescue(gone)).rejects.toThrow('ends with batch 20 of');
  await expect(rescue(gone, '21')).rejects.toThrow('ends with batch 20 of');
  await expect(rescue(gone, '20x')).rejects.toThrow('cluster [make');
  const beyond = join(findDataDirectory(data).snapshots.directory, '0000000000000021.snap');
  fileDisk.makeDirectory(findDataDirectory(data).snapshots.directory);
  writeFileSync(beyond, '');
  await expect(rescue(gone, '20')).rejects.toThrow('before the snapshot of batch 21');
  fileDisk.remove(beyond);
  expect(readLogPlace(data)).toBe('postgres');

  expect(await rescue(gone, '20')).toBe(0);
  expect(printed.join('\n')).toContain(`up to batch 20: ${hash}`);
  expect([readLogPlace(data), hashIn(data)]).toEqual(['files', hash]);
  await expect(runMove(['--to', 'cluster', ...here], io(alive))).rejects.toThrow(
    'holds the log of another deployment',
  );
  const next = await sharedServer.createDatabase();
  expect(await runMove(['--to', 'cluster', ...here], io(next))).toBe(0);
  expect(printed.at(-2)).toContain(`up to batch 20: ${hash}`);
});
