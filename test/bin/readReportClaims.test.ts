// The reports that `evermark verify --reports` is given, and what it refuses.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReportClaims, takeReportsOption } from '../../src/bin/readReportClaims.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const none = { vault: '', rpc: '' };

test('the option may name a file, and the others stay', () => {
  expect(takeReportsOption(['--data', 'd'])).toEqual({ rest: ['--data', 'd'], source: undefined });
  expect(takeReportsOption(['--reports', '--data', 'd'])).toEqual({
    ...{ rest: ['--data', 'd'], source: { file: undefined } },
  });
  expect(takeReportsOption(['--data', 'd', '--reports', 'list'])).toEqual({
    ...{ rest: ['--data', 'd'], source: { file: 'list' } },
  });
});

test('a list in a file is read whole or refused', async () => {
  using directory = createTemporaryDirectory();
  const path = join(directory.path, 'list.json');
  const read = (text: string) => {
    writeFileSync(path, text);
    return readReportClaims(none, path);
  };
  const report = { sequence: 1, from: 0, to: 2, digest: `0x${'AB'.repeat(32)}` };
  const { reports } = await read(JSON.stringify([report]));
  expect(reports).toEqual([{ ...report, digest: `0x${'ab'.repeat(32)}` }]);
  const wrongs = [
    ...[{ sequence: -1 }, { from: 3 }, { to: 2 ** 53 }, { digest: '0x12' }, { digest: 5 }],
  ];
  for (const wrong of wrongs) {
    const text = JSON.stringify([{ ...report, ...wrong }]);
    await expect(read(text), text).rejects.toThrow('must hold a list of reports');
  }
  await expect(read('{}')).rejects.toThrow('must hold a list of reports');
  await expect(read('[null]')).rejects.toThrow('must hold a list of reports');
  await expect(read('[')).rejects.toThrow('The reports cannot be read');
  await expect(readReportClaims(none, undefined)).rejects.toThrow('needs --vault and --rpc');
});
