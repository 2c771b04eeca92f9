// The vault's last anchor as the person's own wallet reads it, from a node that the exchange did
// not choose (VLT-8).

import { askWallet } from './askWallet.ts';
import type { Provider } from './discoverWallets.ts';
import { switchChain } from './switchChain.ts';
import { WalletError } from './walletError.ts';

/** The first four bytes of the hash of `lastAnchor()`; a test derives them anew. */
export const lastAnchorSelector = '34e9890d';

/** Of its ten words: the number, the root, and the hash of the published tree. */
export type ReadAnchor = {
  readonly epoch: bigint;
  readonly root: string;
  readonly treeHash: string;
};

const words = 10;
const timeoutMs = 20_000;

/** Rejects with a `WalletError`. */
export async function readAnchor(
  provider: Provider,
  chainId: number,
  vault: string,
): Promise<ReadAnchor> {
  await switchChain(provider, chainId);
  const params = [{ to: vault, data: `0x${lastAnchorSelector}` }, 'latest'];
  const answer = await askWallet(provider, { method: 'eth_call', params }, timeoutMs);
  if (typeof answer !== 'string' || !new RegExp(`^0x[0-9a-fA-F]{${64 * words}}$`).test(answer)) {
    throw new WalletError('noContract', vault);
  }
  const word = (at: number): string => `0x${answer.slice(2 + 64 * at, 66 + 64 * at).toLowerCase()}`;
  return { epoch: BigInt(word(0)), root: word(1), treeHash: word(9) };
}
