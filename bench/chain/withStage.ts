// A local chain with a vault that pays at once whatever is asked.

import { type LocalChain, openLocalChain } from '../../contracts/openLocalChain.ts';
import { openVault, type Vault } from '../../contracts/openVault.ts';

/** Opens it, and ends the chain at the end. */
export async function withStage<T>(measure: (stage: Vault) => Promise<T>): Promise<T> {
  const chain: LocalChain = await openLocalChain();
  try {
    const stage = await openVault(chain, { bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    return await measure(stage);
  } finally {
    await chain.close();
  }
}
