// What one reason looks like on each surface. The tables beside this file hold one for every
// reason; failureAnswer.ts makes the bodies.

/** A text, or a function that makes the text from the reason's data. */
export type Message<F> = string | ((failure: F) => string);

/** The codes of the service envelope, in which FAPI reports authentication failures (AUTH-2). */
export type EnvelopeCode =
  | 'INVALID_API_KEY'
  | 'API_KEY_DISABLED'
  | 'IP_NOT_ALLOWED'
  | 'SIGNATURE_INVALID';

/** The codes of FAPI that a reason has. */
export type FapiCode =
  | -1000
  | -1001
  | -1003
  | -1007
  | -1008
  | -1013
  | -1021
  | -1022
  | -1100
  | -1102
  | -1106
  | -1120
  | -1121
  | -1125
  | -1130
  | -2010
  | -2011
  | -2013
  | -2014
  | -2015
  | -2019
  | -2021
  | -2022
  | -2027
  | -4016
  | -4024
  | -4028
  | -4046
  | -4059;

export type FapiError = {
  readonly status: number;
  readonly code: FapiCode;
  /** Set on authentication failures: the answer then has the envelope's members too. */
  readonly envelope?: EnvelopeCode;
};

export type NativeCode =
  | 'INVALID_ADDRESS'
  | 'TIMESTAMP_EXPIRED'
  | 'USER_NOT_FOUND'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_FORMAT_INVALID'
  | 'INVALID_TOKEN'
  | 'LIMIT_REACHED'
  | 'INVALID_IP'
  | 'INVALID_SYMBOL'
  | 'INVALID_LEVERAGE'
  | 'INVALID_AMOUNT'
  | 'PRICE_REQUIRED'
  | 'SLIPPAGE_EXCEEDED'
  | 'PRICE_OUT_OF_BAND'
  | 'INSUFFICIENT_BALANCE'
  | 'OI_CAP_EXCEEDED'
  | 'POSITION_LIMIT'
  | 'ORDER_NOT_FOUND'
  | 'ORDER_NOT_OWNED'
  | 'ORDER_NOT_CANCELLABLE'
  | 'HAS_OPEN_ORDERS'
  | 'HAS_OPEN_POSITIONS'
  | 'INVALID_MARGIN_MODE'
  | 'INVALID_MARKET'
  | 'ERR_INVALID_PERIOD'
  | 'ERR_NO_DATA'
  | 'CIRCUIT_OPEN'
  | 'PRICE_DATA_UNAVAILABLE'
  | 'INVALID_PARAMETER'
  | 'NOT_FOUND'
  | 'DUPLICATE_CLIENT_ORDER_ID'
  | 'REDUCE_ONLY_REJECTED'
  | 'ORDER_WOULD_MATCH'
  | 'REFERRAL_DISABLED'
  | 'REFERRAL_CODE_INVALID'
  | 'REFERRAL_NOT_ELIGIBLE'
  | 'REFERRAL_CODE_PRESENT'
  | 'REFERRAL_CODE_TAKEN'
  | 'REFERRAL_ALREADY_BOUND'
  | 'REFERRAL_ALREADY_TRADED'
  | 'REFERRAL_SELF'
  | 'REFERRAL_NOTHING_TO_CLAIM'
  | 'IDEMPOTENCY_CONFLICT'
  | 'CONFLICT'
  | 'CONFIRMATION_REQUIRED'
  | 'TOO_MANY_REQUESTS'
  | 'DISK_FULL'
  | 'MEMORY_SHORT'
  | 'UNKNOWN'
  | 'HISTORY_BEHIND'
  | 'LOGIN_TOO_OLD'
  | 'FAUCET_OFF'
  | 'FAUCET_LIMIT'
  | 'INTERNAL'
  | EnvelopeCode;

export type NativeError = { readonly status: number; readonly code: NativeCode };

/** F: the failure with its data. */
export type WireError<F> = {
  readonly fapi: FapiError;
  readonly native: NativeError;
  readonly msg: Message<F>;
  /** Instead of `msg` where the reason is known without its data: of a trigger that has failed. */
  readonly brief?: string;
  /** The native and operator text, where it differs. */
  readonly message?: Message<F>;
};

/** One entry for every reason of a union, each with the data of that reason. */
export type ErrorTable<F extends { readonly reason: string }> = {
  readonly [R in F['reason']]: WireError<Extract<F, { readonly reason: R }>>;
};

export function fapi(status: number, code: FapiCode, envelope?: EnvelopeCode): FapiError {
  return envelope === undefined ? { status, code } : { status, code, envelope };
}

export function native(status: number, code: NativeCode): NativeError {
  return { status, code };
}
