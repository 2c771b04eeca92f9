// Who signs payments and anchors, and how the service sees it. What a signer checks before it signs
// is in checkBatch.ts and createAnchorCheck.ts; how a key signs is in the files beside this one.

import type { Hex } from 'viem';
import type { ToSign } from '../vaultTypes.ts';

export type Signer = {
  /** In lower case. */
  readonly address: Hex;
  /** The signature; rejects with the reason when it does not sign. */
  readonly sign: (asked: ToSign) => Promise<Hex>;
};

/** Checks it at a time in seconds. Rejects with `NotSigned` when it must not be signed. */
export type CheckAsked = (asked: ToSign, now: bigint) => Promise<void>;

/** Why a signer does not sign. */
export type SignerRefusal =
  /** What no caller of this program asks. */
  | 'malformed'
  | 'batchEmpty'
  | 'batchTooLarge'
  | 'idTwice'
  /** Another chain, vault or signer than those of this signer. */
  | 'otherVault'
  | 'otherSigner'
  /** An action that this signer does not know. */
  | 'actionUnknown'
  /** Its replica does not have the withdrawal or the tree yet. The next round asks again. */
  | 'behind'
  /** Its replica has no open withdrawal of this id, wallet, amount and deadline. */
  | 'notRequested'
  /** Its replica has not made this tree at this place of the log. */
  | 'anchorDiffers'
  /** It has signed a later tree. */
  | 'anchorEarlier'
  /** Its number is far above the last one. */
  | 'anchorAhead'
  /** The money of its replica does not add up (BAL-2). */
  | 'notConserved'
  /** Another engine runs the log than that of its release, so it cannot read the state. */
  | 'otherEngine'
  | 'capReached'
  /** The request is not from who has the secret, is too old, or was there before. */
  | 'unauthorized'
  | 'stale'
  | 'replayed'
  | 'busy'
  /** It could not sign, and its own journal says why. */
  | 'failed';

/** Thrown by a signer that does not sign. */
export class NotSigned extends Error {
  override name = 'NotSigned';
  readonly refusal: SignerRefusal;
  readonly detail: string;

  constructor(refusal: SignerRefusal, detail: string) {
    super(`${refusal}: ${detail}`);
    this.refusal = refusal;
    this.detail = detail;
  }
}
