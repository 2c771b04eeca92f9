// Every reason the engine rejects a command for, with its data, in the order of the checks. The
// reason goes unchanged to the wire, where api/errors gives it a code, a status and a message.

import type { Money } from '../units/units.ts';

export type Rejection =
  /** The command waited longer for its place in the log than its deadline allows. */
  | { readonly reason: 'deadlinePassed' }
  /** An assertion failed before anything was written: ours, not the client's. */
  | { readonly reason: 'fault'; readonly detail: string }
  | { readonly reason: 'accountUnknown' }
  | { readonly reason: 'marketUnknown' }
  /** The same Idempotency-Key came with another request (ID-3). */
  | { readonly reason: 'idempotencyConflict' }
  | { readonly reason: 'capacityReached'; readonly limit: string }
  /** No index has been accepted yet (PRC-1). */
  | { readonly reason: 'priceUnavailable' }
  | { readonly reason: 'marketHalted' }
  | { readonly reason: 'marketReduceOnly' }
  /** No live order of this account has this id; it may have ended. */
  | { readonly reason: 'orderNotFound' }
  | { readonly reason: 'sideMismatch' }
  | { readonly reason: 'quantityBelowFilled' }
  | { readonly reason: 'quantityBelowLot' }
  | { readonly reason: 'quantityAboveMax' }
  | { readonly reason: 'notionalBelowMin'; readonly min: Money }
  | { readonly reason: 'notionalAboveMax'; readonly max: Money }
  | { readonly reason: 'clientOrderIdDuplicate' }
  | { readonly reason: 'reduceOnlyRejected' }
  | { readonly reason: 'wouldMatch' }
  | { readonly reason: 'openOrdersLimit' }
  | {
      readonly reason: 'openInterestCapExceeded';
      readonly current: Money;
      readonly cap: Money;
      readonly requestedDelta: Money;
    }
  | { readonly reason: 'slippageExceeded' }
  | { readonly reason: 'marginInsufficient' }
  | { readonly reason: 'leverageInvalid'; readonly leverage: number; readonly max: number }
  | { readonly reason: 'countdownInvalid' }
  | { readonly reason: 'nonceUsed' }
  | { readonly reason: 'nonceExpired' }
  | { readonly reason: 'apiKeysLimit' }
  | { readonly reason: 'apiKeyUnknown' }
  | { readonly reason: 'amountInvalid' }
  | { readonly reason: 'referenceConflict' }
  | { readonly reason: 'symbolTaken' }
  | { readonly reason: 'termsInvalid'; readonly field: string; readonly detail: string };

export type Reason = Rejection['reason'];
