// Every reason for which the engine rejects a command, with its data, in the order of the checks.
// The reason goes unchanged to the wire, where api/errors gives it a code, a status and a message.

import type { Money } from '../units/units.ts';

export type Rejection =
  /** The command waited longer for its place in the log than its deadline allows. */
  | { readonly reason: 'deadlinePassed' }
  /**
   * An assertion failed before anything was written: a defect of the exchange, not of the client.
   */
  | { readonly reason: 'fault'; readonly detail: string }
  | { readonly reason: 'accountUnknown' }
  | { readonly reason: 'marketUnknown' }
  /** The log has a vault: money comes and goes by facts of the chain (VLT-6). */
  | { readonly reason: 'vaultBound'; readonly address: string; readonly deployBlock: number }
  /** The log has no vault, so that it takes no facts of the chain. */
  | { readonly reason: 'vaultMissing' }
  /** The same Idempotency-Key came with another request (ID-3). */
  | { readonly reason: 'idempotencyConflict' }
  | { readonly reason: 'capacityReached'; readonly limit: string }
  /** No index has been accepted yet (PRC-1). */
  | { readonly reason: 'priceUnavailable' }
  | { readonly reason: 'marketHalted' }
  | { readonly reason: 'marketReduceOnly' }
  /** No live order of this account has this id; the order may have ended. */
  | { readonly reason: 'orderNotFound' }
  | { readonly reason: 'sideMismatch' }
  /** The trigger's condition already holds (TRG-1). */
  | { readonly reason: 'wouldTrigger' }
  /** A leg on the wrong side of its parent's reference (ATT-1), which is a decimal price. */
  | { readonly reason: 'takeProfitWrongSide'; readonly reference: string }
  | { readonly reason: 'stopLossWrongSide'; readonly reference: string }
  | { readonly reason: 'goodTillDateInvalid' }
  | { readonly reason: 'callbackRateInvalid' }
  | { readonly reason: 'quantityBelowFilled' }
  | { readonly reason: 'quantityBelowLot' }
  | { readonly reason: 'quantityAboveMax' }
  | { readonly reason: 'notionalBelowMin'; readonly min: Money }
  | { readonly reason: 'notionalAboveMax'; readonly max: Money }
  /** A BUY above, a SELL below the price band (PRC-6); the bound as a decimal price. */
  | { readonly reason: 'priceAboveBand'; readonly max: string }
  | { readonly reason: 'priceBelowBand'; readonly min: string }
  | { readonly reason: 'clientOrderIdDuplicate' }
  | { readonly reason: 'reduceOnlyRejected' }
  | { readonly reason: 'wouldMatch' }
  /** A trigger that only reduces finds no order and waits (TRG-8): the reason of a try alone. */
  | { readonly reason: 'counterpartyMissing' }
  | { readonly reason: 'openOrdersLimit' }
  | { readonly reason: 'triggersLimit' }
  /** The account has as many armed connections as it may have (COD-3). */
  | { readonly reason: 'connectionsLimit' }
  /** Orders that wait without margin need equity in proportion (TRG-7, ORD-13b, COD-3). */
  | { readonly reason: 'equityInsufficient'; readonly required: Money }
  | {
      readonly reason: 'openInterestCapExceeded';
      readonly current: Money;
      readonly cap: Money;
      readonly requestedDelta: Money;
    }
  /** One account holds at most a share of a side's cap (MAR-11). */
  | {
      readonly reason: 'positionLimitExceeded';
      readonly current: Money;
      readonly max: Money;
      readonly requestedDelta: Money;
    }
  /** The leverage setting is above that of the bracket in which the order would open (MAR-10). */
  | { readonly reason: 'leverageAboveBracket'; readonly leverage: number; readonly max: number }
  | { readonly reason: 'slippageExceeded' }
  | { readonly reason: 'marginInsufficient' }
  | { readonly reason: 'leverageInvalid'; readonly leverage: number; readonly max: number }
  | { readonly reason: 'countdownInvalid' }
  | { readonly reason: 'nonceUsed' }
  | { readonly reason: 'nonceExpired' }
  /** The account has no session with this number; it may have ended (AUTH-11). */
  | { readonly reason: 'sessionUnknown' }
  | { readonly reason: 'apiKeysLimit' }
  | { readonly reason: 'apiKeyUnknown' }
  /** Another request has changed label or address list since this one read them (AUTH-4). */
  | { readonly reason: 'apiKeyChanged' }
  | { readonly reason: 'amountInvalid' }
  | { readonly reason: 'withdrawalBelowMin'; readonly min: Money }
  | { readonly reason: 'withdrawalsLimit' }
  | { readonly reason: 'withdrawalUnknown' }
  /** The log has this fact of the chain already (VLT-2, VLT-4). */
  | { readonly reason: 'factKnown' }
  /** The fact cannot be true beside what the log has. */
  | { readonly reason: 'factContradicts'; readonly detail: string }
  /** Money came before the vault (VLT-1). */
  | { readonly reason: 'depositsPresent' }
  /** No credit of this account has this reference (OPS-1b). */
  | { readonly reason: 'creditUnknown' }
  | { readonly reason: 'openOrdersPresent' }
  | { readonly reason: 'openPositionsPresent' }
  /** Only an isolated position has collateral of its own. */
  | { readonly reason: 'marginModeCross' }
  | { readonly reason: 'positionMissing' }
  /** More than is withdrawable (MAR-8), or more than a transfer of collateral may move (MAR-7). */
  | { readonly reason: 'balanceInsufficient'; readonly max: Money }
  | { readonly reason: 'feeTiersInvalid'; readonly detail: string }
  /** The operator has switched referral off (NAT-4). */
  | { readonly reason: 'referralDisabled' }
  /** Not 4 to 16 capital letters and digits. */
  | { readonly reason: 'referralCodeInvalid' }
  | { readonly reason: 'referralCodeUnknown' }
  /** Internal accounts take no part; an account that was never credited has no code. */
  | { readonly reason: 'referralNotEligible'; readonly detail: string }
  /** The account has its code already. */
  | { readonly reason: 'referralCodePresent' }
  /** Another account has this code. */
  | { readonly reason: 'referralCodeTaken' }
  | { readonly reason: 'referralAlreadyBound' }
  | { readonly reason: 'referralAlreadyTraded' }
  /** The code is its own, or that of an account below it. */
  | { readonly reason: 'referralSelf' }
  | { readonly reason: 'referralNothingToClaim' }
  | { readonly reason: 'referralTermsInvalid'; readonly detail: string }
  | { readonly reason: 'referenceConflict' }
  | { readonly reason: 'symbolTaken' }
  | { readonly reason: 'termsInvalid'; readonly field: string; readonly detail: string }
  /** The terms have changed since the change was judged (OPS-4). */
  | { readonly reason: 'termsChanged' }
  /** The change would liquidate so many accounts at once, and is not confirmed (OPS-4). */
  | { readonly reason: 'wouldLiquidate'; readonly accounts: number };

export type Reason = Rejection['reason'];
