// What an order can be: its sides, types, states and ends. The record stands in order.ts.

/** Buying and selling as signs, so that side × lots is a change of position. */
export type Side = 1 | -1;
export const buy = 1;
export const sell = -1;

export const orderTypes = ['LIMIT', 'MARKET'] as const;
export type OrderType = (typeof orderTypes)[number];

export const timesInForce = ['GTC', 'IOC', 'FOK', 'GTX'] as const;
export type TimeInForce = (typeof timesInForce)[number];

export const orderStatuses = ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'REJECTED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Why an order ended other than by filling (ORD-2); NONE while it lives or when it filled. */
export const cancelReasons = [
  'NONE',
  'USER',
  'COUNTDOWN',
  'IOC',
  'MARKET',
  'SELF_TRADE',
  'REDUCE_ONLY',
  'MARGIN',
  'OI_CAP',
  'LIQUIDATION',
  'DELISTING',
  'GTD',
  'POSITION_LIMIT',
  'PAIR',
  'DISCONNECT',
] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** What happens when an order would trade with another of its own account (ORD-4). */
export const selfTradeModes = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'] as const;
export type SelfTradeMode = (typeof selfTradeModes)[number];

/** Who placed an order. */
export const orderOrigins = ['account', 'liquidation', 'unwinding'] as const;
export type OrderOrigin = (typeof orderOrigins)[number];

export const workingTypes = ['CONTRACT_PRICE', 'MARK_PRICE'] as const;
export type WorkingType = (typeof workingTypes)[number];
