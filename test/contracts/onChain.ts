// One local chain for a file of tests; each test gets a new vault. Without anvil's binary the tests
// are skipped, with a line that says so; in CI that is a failure.

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findAnvil, type LocalChain, openLocalChain } from '../../contracts/openLocalChain.ts';
import { openVault, type Vault } from '../../contracts/openVault.ts';

export type Opening = (changes?: Parameters<typeof openVault>[1]) => Promise<Vault>;

export function onChain(title: string, body: (open: Opening) => void): void {
  const isThere = findAnvil() !== undefined;
  if (!isThere) {
    if (process.env.CI !== undefined) throw new Error('CI has no anvil: run npm ci on linux x64');
    process.stderr.write(`SKIPPED: ${title}: npm has no anvil for this platform\n`);
  }
  describe.skipIf(!isThere)(title, () => {
    let chain: LocalChain;
    beforeAll(async () => {
      chain = await openLocalChain();
    });
    afterAll(() => chain?.close());
    body((changes) => openVault(chain, changes));
  });
}

/** The name of the contract's error. */
export const refused = (act: Promise<unknown>, name: string): Promise<void> =>
  expect(act).rejects.toThrow(new Error(name));
