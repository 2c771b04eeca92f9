// `evermark verify` with nodes of the chain that do not answer: what the replay has found is
// printed, then what could not be asked, and the exit code is another one than of a wrong log.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runVerify } from '../../src/bin/verify.ts';
import { publishTrees } from '../fixtures/publishTrees.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const away = [1, 2, 3].map((place) => `http://127.0.0.1:9/hidden-key/?${place}`).join(',');
const chained = ['--vault', `0x${'ab'.repeat(20)}`, '--rpc', away];

async function verify(args: readonly string[]) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runVerify(args, {
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    environment: {},
  });
  return { code, answer: JSON.parse(printed.join('\n')), complaints };
}

test('VLT-8 nodes that are away leave the result of the replay, and exit code 3', async () => {
  using temporary = createTemporaryDirectory();
  const { path } = temporary;
  const claims = await publishTrees(path);
  const { code, answer, complaints } = await verify(['--data', path, '--anchors', ...chained]);
  expect(code).toBe(3);
  expect(answer).toMatchObject({
    ...{ ok: false, invariants: { ok: true } },
    anchors: { ok: true, files: claims.length, anchors: null },
  });
  expect(answer.unasked).toEqual(complaints);
  expect(complaints).toEqual([
    expect.stringMatching(
      /^the anchors of the vault could not be asked for: the node 127\.0\.0\.1:9:/,
    ),
  ]);
  expect(complaints.join()).not.toContain('hidden-key');

  const reported = await verify(['--data', path, '--reports', ...chained]);
  expect([reported.code, reported.answer.invariants.ok]).toEqual([3, true]);
  expect(reported.answer).not.toHaveProperty('reports');

  // A wrong file is worse than an answer that is missing.
  writeFileSync(join(path, 'trees', 'tree-000000999999.txt'), 'no tree');
  const wrong = await verify(['--data', path, '--anchors', ...chained]);
  expect([wrong.code, wrong.answer.anchors.ok]).toEqual([1, false]);
  expect(wrong.complaints).toHaveLength(1);
});
