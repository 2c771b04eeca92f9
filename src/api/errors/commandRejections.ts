// Which rejections of each command a client can receive, for the documentation. It leaves out what
// the gateway has checked before (the account and the market exist) and what any command can meet
// (a deadline, a fault). A kind of command without a line does not compile.

import type { Command } from '../../engine/command.ts';
import type { Reason } from '../../engine/rejection.ts';

const closedMarket = ['priceUnavailable', 'marketHalted', 'marketReduceOnly'] as const;
const size = [
  'quantityBelowLot',
  'quantityAboveMax',
  'notionalBelowMin',
  'notionalAboveMax',
] as const;

const legs = ['takeProfitWrongSide', 'stopLossWrongSide'] as const;

const band = ['priceAboveBand', 'priceBelowBand'] as const;

export const commandRejections = {
  placeOrder: [
    ...closedMarket,
    ...size,
    ...band,
    'clientOrderIdDuplicate',
    'reduceOnlyRejected',
    'wouldMatch',
    'openOrdersLimit',
    ...legs,
    'triggersLimit',
    'equityInsufficient',
    'openInterestCapExceeded',
    'positionLimitExceeded',
    'leverageAboveBracket',
    'slippageExceeded',
    'marginInsufficient',
  ],
  placeTrigger: [
    ...closedMarket,
    ...size,
    'clientOrderIdDuplicate',
    'reduceOnlyRejected',
    'wouldTrigger',
    ...legs,
    'goodTillDateInvalid',
    'callbackRateInvalid',
    'triggersLimit',
    'equityInsufficient',
  ],
  modifyTrigger: [
    ...closedMarket,
    ...size,
    'reduceOnlyRejected',
    'wouldTrigger',
    'callbackRateInvalid',
    'equityInsufficient',
  ],
  cancelTrigger: [],
  cancelAllTriggers: [],
  modifyOrder: [
    ...closedMarket,
    ...size,
    ...band,
    'sideMismatch',
    ...legs,
    'quantityBelowFilled',
    'reduceOnlyRejected',
    'openInterestCapExceeded',
    'positionLimitExceeded',
    'leverageAboveBracket',
    'marginInsufficient',
  ],
  cancelOrder: [],
  cancelAllOrders: [],
  batch: [],
  setProtection: [
    'priceUnavailable',
    'marketHalted',
    ...legs,
    'reduceOnlyRejected',
    'triggersLimit',
    'equityInsufficient',
  ],
  setLeverage: ['leverageInvalid'],
  setCountdown: ['equityInsufficient', 'countdownInvalid'],
  indexTick: [],
  listMarket: ['symbolTaken', 'termsInvalid'],
  changeMarket: ['termsInvalid', 'termsChanged', 'wouldLiquidate'],
  credit: ['amountInvalid', 'referenceConflict'],
  correctCredit: ['creditUnknown', 'referenceConflict', 'amountInvalid', 'balanceInsufficient'],
  flagAccount: ['accountUnknown', 'feeTiersInvalid'],
  creditInsurance: ['amountInvalid', 'referenceConflict'],
  settleFunding: ['priceUnavailable', 'marketHalted'],
  setMarginMode: ['openOrdersPresent', 'openPositionsPresent'],
  transferCollateral: [
    'amountInvalid',
    'balanceInsufficient',
    'marginModeCross',
    'positionMissing',
  ],
  requestWithdrawal: ['amountInvalid', 'withdrawalsLimit', 'balanceInsufficient'],
  resolveWithdrawal: ['withdrawalUnknown'],
  setFeeTiers: ['feeTiersInvalid'],
  setReferralCode: [
    'referralDisabled',
    'referralCodeInvalid',
    'referralNotEligible',
    'referralCodePresent',
    'referralCodeTaken',
  ],
  bindReferral: [
    'referralDisabled',
    'referralCodeInvalid',
    'referralCodeUnknown',
    'referralNotEligible',
    'referralAlreadyBound',
    'referralAlreadyTraded',
    'referralSelf',
  ],
  claimReferral: ['referralNothingToClaim'],
  setReferralTerms: ['referralTermsInvalid'],
  login: ['nonceUsed', 'nonceExpired'],
  endSessions: ['sessionUnknown'],
  createApiKey: ['apiKeysLimit', 'referenceConflict'],
  updateApiKey: ['apiKeyUnknown'],
  deleteApiKey: ['apiKeyUnknown'],
  setRateTier: ['apiKeyUnknown'],
} as const satisfies Record<Command['kind'], readonly Reason[]>;
