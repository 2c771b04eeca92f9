// Code, status and text of every rejection of the engine, on each surface. A reason without a row
// does not compile. Reasons that a surface cannot cause have a row too.

import { withdrawalsPerAccountMax } from '../../engine/limits.ts';
import type { Rejection } from '../../engine/rejection.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { type Money, moneyDecimals } from '../../units/units.ts';
import { vaultErrors } from './vaultErrors.ts';
import { type ErrorTable, fapi, native } from './wireError.ts';

const usd = (money: Money): string => formatTrimmed(money, moneyDecimals);
const closed = 'Market is closed.';
const lotSize = 'Filter failure: LOT_SIZE';
const immediately = {
  fapi: fapi(400, -2021),
  native: native(400, 'INVALID_PARAMETER'),
  msg: 'Order would trigger immediately.',
} as const;

const notFound = { fapi: fapi(404, -1000), native: native(404, 'NOT_FOUND') } as const;

export const rejectionErrors: ErrorTable<Rejection> = {
  deadlinePassed: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: 'Too many requests.',
    message: 'The request waited too long and was not executed.',
  },
  fault: { fapi: fapi(500, -1000), native: native(500, 'INTERNAL'), msg: 'Unknown error.' },
  accountUnknown: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(404, 'NOT_FOUND'),
    msg: 'Account not found.',
  },
  marketUnknown: {
    fapi: fapi(400, -1121),
    native: native(404, 'INVALID_MARKET'),
    msg: 'Invalid symbol.',
    message: 'The market is unknown.',
  },
  ...vaultErrors,
  idempotencyConflict: {
    fapi: fapi(400, -1102),
    native: native(409, 'IDEMPOTENCY_CONFLICT'),
    msg: "Parameter 'Idempotency-Key' is missing or malformed.",
    message: 'This Idempotency-Key was used for another request before.',
  },
  capacityReached: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: 'Too many requests.',
    message: ({ limit }) => `The exchange is full (${limit}); the request was not executed.`,
  },
  priceUnavailable: {
    fapi: fapi(400, -2010),
    native: native(503, 'PRICE_DATA_UNAVAILABLE'),
    msg: closed,
    message: 'There is no fresh index price.',
  },
  marketHalted: {
    fapi: fapi(400, -2010),
    native: native(503, 'CIRCUIT_OPEN'),
    msg: closed,
    message: 'The market is halted.',
  },
  marketReduceOnly: {
    fapi: fapi(400, -2010),
    native: native(503, 'CIRCUIT_OPEN'),
    msg: closed,
    message:
      'The market takes only orders that reduce a position; ' +
      'after a fast move of the price also limit orders that rest.',
  },
  orderNotFound: {
    fapi: fapi(404, -2013),
    native: native(404, 'ORDER_NOT_FOUND'),
    msg: 'Order does not exist.',
  },
  sideMismatch: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: "Parameter 'side' is missing or malformed.",
    message: 'The side of an order cannot change.',
  },
  wouldTrigger: immediately,
  takeProfitWrongSide: {
    ...immediately,
    message: ({ reference }) =>
      `The take-profit of a BUY must be above ${reference}, that of a SELL below it.`,
  },
  stopLossWrongSide: {
    ...immediately,
    message: ({ reference }) =>
      `The stop-loss of a BUY must be below ${reference}, that of a SELL above it.`,
  },
  counterpartyMissing: {
    fapi: fapi(400, -2010),
    native: native(422, 'INVALID_PARAMETER'),
    msg: 'No order within the price bound.',
  },
  goodTillDateInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: "Parameter 'goodTillDate' is missing or malformed.",
    message: 'A good-till-date is at least 600 seconds and at most 90 days ahead.',
  },
  callbackRateInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: "Parameter 'callbackRate' is missing or malformed.",
    message: 'A callback rate is 0.1 to 10 percent.',
  },
  triggersLimit: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: 'Reached max trigger order limit.',
  },
  connectionsLimit: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: 'Reached max armed connection limit.',
    message: 'The account has as many armed connections as it may have.',
  },
  equityInsufficient: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: "The account's equity is too small for one more of these.",
    message: ({ required }) => `This needs an equity of ${usd(required)}.`,
  },
  withdrawalsLimit: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: 'Reached max pending withdrawals limit.',
    message:
      `The account already has ${withdrawalsPerAccountMax} pending withdrawals; ` +
      'wait until one of them has ended.',
  },
  quantityBelowFilled: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: "Parameter 'quantity' has an illegal format.",
    message: 'The quantity is below what is already filled.',
  },
  quantityBelowLot: {
    fapi: fapi(400, -1013),
    native: native(400, 'INVALID_AMOUNT'),
    msg: lotSize,
    message: 'The quantity is below one lot.',
  },
  quantityAboveMax: {
    fapi: fapi(400, -1013),
    native: native(400, 'INVALID_AMOUNT'),
    msg: lotSize,
    message: 'The quantity is too large.',
  },
  notionalBelowMin: {
    fapi: fapi(400, -1013),
    native: native(400, 'INVALID_AMOUNT'),
    msg: 'Filter failure: MIN_NOTIONAL',
    message: ({ min }) => `The notional is below ${usd(min)}.`,
  },
  notionalAboveMax: {
    fapi: fapi(400, -1013),
    native: native(400, 'INVALID_AMOUNT'),
    msg: 'Filter failure: MAX_NOTIONAL',
    message: ({ max }) => `The notional is above ${usd(max)}.`,
  },
  priceAboveBand: {
    fapi: fapi(400, -4016),
    native: native(422, 'PRICE_OUT_OF_BAND'),
    msg: ({ max }) => `Limit price can't be higher than ${max}.`,
    brief: "Limit price can't be above the price band.",
    message: ({ max }) => `A buy order must not be priced above ${max}.`,
  },
  priceBelowBand: {
    fapi: fapi(400, -4024),
    native: native(422, 'PRICE_OUT_OF_BAND'),
    msg: ({ min }) => `Limit price can't be lower than ${min}.`,
    brief: "Limit price can't be below the price band.",
    message: ({ min }) => `A sell order must not be priced below ${min}.`,
  },
  clientOrderIdDuplicate: {
    fapi: fapi(400, -2014),
    native: native(409, 'DUPLICATE_CLIENT_ORDER_ID'),
    msg: 'Client order id is duplicated.',
  },
  reduceOnlyRejected: {
    fapi: fapi(400, -2022),
    native: native(409, 'REDUCE_ONLY_REJECTED'),
    msg: 'ReduceOnly Order is rejected.',
  },
  wouldMatch: {
    fapi: fapi(400, -2010),
    native: native(409, 'ORDER_WOULD_MATCH'),
    msg: 'Order would immediately match and take.',
  },
  openOrdersLimit: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: 'Reached max open order limit.',
  },
  openInterestCapExceeded: {
    fapi: fapi(400, -2010),
    native: native(422, 'OI_CAP_EXCEEDED'),
    msg: 'Open interest cap exceeded.',
    message: ({ current, cap, requestedDelta }) =>
      `Open interest cap exceeded: current=${usd(current)}, cap=${usd(cap)}, ` +
      `requested_delta=${usd(requestedDelta)}.`,
  },
  positionLimitExceeded: {
    fapi: fapi(400, -2027),
    native: native(422, 'POSITION_LIMIT'),
    msg: ({ max }) =>
      `Exceeded the maximum allowable position at current leverage. The maximum is ${usd(max)}.`,
    brief: 'Exceeded the maximum allowable position at current leverage.',
    message: ({ current, max, requestedDelta }) =>
      `Position limit exceeded: current=${usd(current)}, max=${usd(max)}, ` +
      `requested_delta=${usd(requestedDelta)}.`,
  },
  leverageAboveBracket: {
    fapi: fapi(400, -2027),
    native: native(422, 'INVALID_LEVERAGE'),
    msg: ({ max }) =>
      'Exceeded the maximum allowable position at current leverage. ' +
      `At this open interest the leverage may be at most ${max}.`,
    brief: 'Exceeded the maximum allowable position at current leverage.',
    message: ({ leverage, max }) =>
      `At this open interest an order opens with a leverage of at most ${max}; it has ${leverage}.`,
  },
  slippageExceeded: {
    fapi: fapi(400, -2010),
    native: native(422, 'SLIPPAGE_EXCEEDED'),
    msg: 'Slippage would exceed the limit.',
  },
  marginInsufficient: {
    fapi: fapi(400, -2019),
    native: native(422, 'INSUFFICIENT_BALANCE'),
    msg: 'Margin is insufficient.',
  },
  leverageInvalid: {
    fapi: fapi(400, -4028),
    native: native(400, 'INVALID_LEVERAGE'),
    msg: ({ leverage }) => `Leverage ${leverage} is not valid`,
    message: ({ leverage, max }) => `Leverage ${leverage} is not between 1 and ${max}.`,
  },
  countdownInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: "Parameter 'countdownTime' is missing or malformed.",
    message: 'A countdown is 0 to 86400000 milliseconds.',
  },
  nonceUsed: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(401, 'SIGNATURE_INVALID'),
    msg: 'The nonce was used before.',
  },
  nonceExpired: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(404, 'USER_NOT_FOUND'),
    msg: 'There is no valid nonce for this address; ask for one first.',
  },
  sessionUnknown: { ...notFound, msg: 'Session not found.' },
  apiKeysLimit: {
    fapi: fapi(400, -2010),
    native: native(400, 'LIMIT_REACHED'),
    msg: 'The account already holds 30 keys.',
  },
  apiKeyUnknown: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(404, 'NOT_FOUND'),
    msg: 'API key not found.',
  },
  apiKeyChanged: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFLICT'),
    msg: 'Another request has changed the API key meanwhile. Nothing was changed; repeat it.',
  },
  amountInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: 'The amount is not valid.',
  },
  balanceInsufficient: {
    fapi: fapi(400, -2019),
    native: native(422, 'INSUFFICIENT_BALANCE'),
    msg: 'Margin is insufficient.',
    message: ({ max }) => `The balance is insufficient: at most ${usd(max)}.`,
  },
  withdrawalUnknown: { ...notFound, msg: 'Withdrawal not found.' },
  openOrdersPresent: {
    fapi: fapi(400, -1102),
    native: native(409, 'HAS_OPEN_ORDERS'),
    msg: 'The account has open orders or waiting triggers.',
  },
  openPositionsPresent: {
    fapi: fapi(400, -1102),
    native: native(409, 'HAS_OPEN_POSITIONS'),
    msg: 'The account has open positions.',
  },
  marginModeCross: {
    fapi: fapi(400, -4046),
    native: native(409, 'INVALID_MARGIN_MODE'),
    msg: 'Isolated margin is not available on this API.',
    message: 'Only an isolated position has collateral of its own.',
  },
  positionMissing: {
    fapi: fapi(400, -1102),
    native: native(404, 'NOT_FOUND'),
    msg: 'Position not found.',
  },
  feeTiersInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: ({ detail }) => detail,
  },
  referralDisabled: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_DISABLED'),
    msg: 'Referral is switched off on this deployment.',
  },
  referralCodeInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'REFERRAL_CODE_INVALID'),
    msg: 'A referral code consists of 4 to 16 capital letters A–Z and digits.',
  },
  referralCodeUnknown: {
    fapi: fapi(400, -1102),
    native: native(404, 'REFERRAL_CODE_INVALID'),
    msg: 'No account has this referral code.',
  },
  referralNotEligible: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_NOT_ELIGIBLE'),
    msg: ({ detail }) => detail,
  },
  referralCodePresent: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_CODE_PRESENT'),
    msg: 'The account already has a referral code, which cannot be changed.',
  },
  referralCodeTaken: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_CODE_TAKEN'),
    msg: 'Another account has this referral code.',
  },
  referralAlreadyBound: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_ALREADY_BOUND'),
    msg: 'The account is already bound to a referral code, which cannot be changed.',
  },
  referralAlreadyTraded: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_ALREADY_TRADED'),
    msg: 'The account has traded: it could be bound only before its first trade.',
  },
  referralSelf: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_SELF'),
    msg: 'An account cannot be its own referrer, not even through other accounts.',
  },
  referralNothingToClaim: {
    fapi: fapi(400, -1102),
    native: native(409, 'REFERRAL_NOTHING_TO_CLAIM'),
    msg: 'Nothing has accrued since the last claim.',
  },
  referralTermsInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: ({ detail }) => detail,
  },
  referenceConflict: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFLICT'),
    msg: 'This reference was used with another amount before.',
  },
  creditUnknown: { ...notFound, msg: 'No credit of this account has this reference.' },
  symbolTaken: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFLICT'),
    msg: 'A market with this symbol is already listed.',
  },
  termsInvalid: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: ({ field, detail }) => `${field}: ${detail}`,
  },
  termsChanged: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFLICT'),
    msg: 'Another request has changed the market meanwhile. Nothing was changed; repeat it.',
  },
  wouldLiquidate: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFIRMATION_REQUIRED'),
    msg: ({ accounts }) => `Nothing was changed: ${accounts} accounts would be liquidated.`,
  },
};
