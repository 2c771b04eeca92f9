// The examples of the documentation are answers of a gateway: a session calls every operation, the
// answers are compared with the document (expectDocumented.ts), and the file of examples has what
// was sent and received. `npm run vitest -- test/api/examples.test.ts -u` writes it again.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { exampleSession } from './exampleSession.ts';

/** Operations in which no request can succeed. */
const refusedAlways: Readonly<Record<string, number>> = {
  getRpiDepth: 404,
  movePositionMargin: 400,
  // The session credits accounts by hand (VLT-1).
  bindVault: 409,
  getProof: 404,
  setWithdrawalTerms: 409,
};

test('docs/api/examples.json has a request and its answer for every operation', async () => {
  const examples = await exampleSession();
  expect(Object.keys(examples).sort()).toEqual(operations.map(({ name }) => name).sort());
  for (const { name, method } of operations) {
    const { request, status, answer } = examples[name]!;
    expect(request.method, name).toBe(method);
    expect([200, 204, refusedAlways[name]], `${name}: ${JSON.stringify(answer)}`).toContain(status);
  }
  const inOrder = Object.fromEntries(operations.map(({ name }) => [name, examples[name]]));
  const path = join(import.meta.dirname, '../../docs/api/examples.json');
  await expect(`${JSON.stringify(inOrder, null, 1)}\n`).toMatchFileSnapshot(path);
});
