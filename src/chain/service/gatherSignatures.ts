// The signatures of a batch or an anchor: asked of all signers at once, each checked before it is
// used, because one bad signature makes the vault refuse all of it.

import type { Hex } from 'viem';
import type { Signer } from '../signers/signer.ts';
import type { SignerSet } from '../vaultNode.ts';
import type { ToSign } from '../vaultTypes.ts';

/** Who has signed it; undefined for a text that is no signature. */
export type ReadSigner = (asked: ToSign, signature: Hex) => Promise<Hex | undefined>;

export type Gathered = {
  /** As many as are needed, ascending by signer; undefined when there are too few. */
  readonly signatures: readonly Hex[] | undefined;
  /** Signers without a signature that counts, each with the reason. */
  readonly failures: readonly string[];
};

/**
 * Signers that are not in the vault's set are not asked. Of several for one key the first is: the
 * contract refuses what has the signature of one signer twice.
 */
export async function gatherSignatures(
  signers: readonly Signer[],
  { signers: live, threshold }: SignerSet,
  asked: ToSign,
  readSigner: ReadSigner,
): Promise<Gathered> {
  const failures: string[] = [];
  const addresses = signers.map(({ address }) => address);
  const chosen = signers.filter(
    ({ address }, at) => live.includes(address) && addresses.indexOf(address) === at,
  );
  const found = await Promise.all(
    chosen.map(async ({ address, sign }) => {
      try {
        const signature = await sign(asked);
        if ((await readSigner(asked, signature)) === address) return { address, signature };
        failures.push(`${address} has not signed what was asked`);
      } catch (error) {
        failures.push(`${address}: ${error instanceof Error ? error.message : error}`);
      }
      return undefined;
    }),
  );
  const good = found
    .filter((each) => each !== undefined)
    .sort((one, other) => (one.address < other.address ? -1 : 1))
    .slice(0, threshold)
    .map(({ signature }) => signature);
  return { signatures: good.length < threshold ? undefined : good, failures };
}
