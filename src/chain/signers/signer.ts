// Who signs batches of payments, and how the service sees it. What a signer checks before it signs
// is in checkBatch.ts; how a key signs is in the files beside this one.

import type { Hex } from 'viem';
import type { Payment } from '../vaultTypes.ts';

export type Signer = {
  /** In lower case. */
  readonly address: Hex;
  /** The signature of a batch; rejects with the reason when it does not sign. */
  readonly sign: (payments: readonly Payment[]) => Promise<Hex>;
};
