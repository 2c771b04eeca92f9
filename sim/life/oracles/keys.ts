// The keys of the timelines and the texts of their values, in the words of the wire. Client and
// witness name a thing by the same functions, so that what a client saw can be looked up in the
// witness's notes.

/** Every order of both routes by number, and every trigger of the order route until it fires. */
export const orderKey = (orderId: string): string => `order ${orderId}`;

/** The members that an order shows everywhere. */
export const orderValue = (order: {
  readonly status: string;
  readonly executedQty: string;
  readonly origQty: string;
  readonly price: string;
  readonly cancelReason?: string | undefined;
}): string =>
  `${order.status} ${order.executedQty}/${order.origQty}@${order.price}` +
  `${order.cancelReason === undefined ? '' : ` ${order.cancelReason}`}`;

/** Whether an order with that name ever existed: `known`. */
export const nameKey = (account: number, clientOrderId: string): string =>
  `name ${account} ${clientOrderId}`;

/** Whether an order with that name can still fill, or waits for its price: `live`. */
export const liveNameKey = (account: number, clientOrderId: string): string =>
  `live name ${account} ${clientOrderId}`;

/** How many orders of the account rest on the market. */
export const restingKey = (account: number, symbol: string): string =>
  `resting orders of ${account} on ${symbol}`;

export const balanceKey = (account: number): string => `balance of ${account}`;
export const availableKey = (account: number): string => `available of ${account}`;
export const positionKey = (account: number, symbol: string): string =>
  `position of ${account} in ${symbol}`;
/**
 * The part of its balance that the account has bound to the position: everything that secures an
 * isolated one.
 */
export const collateralKey = (account: number, symbol: string): string =>
  `collateral of ${account} in ${symbol}`;
export const leverageKey = (account: number, symbol: string): string =>
  `leverage of ${account} on ${symbol}`;
export const modeKey = (account: number): string => `margin mode of ${account}`;
/** The open sessions of an account, by their numbers. */
export const sessionsKey = (account: number): string => `sessions of ${account}`;
export const sessionsValue = (numbers: readonly number[]): string => numbers.join(' ');

/** An account's part in referral; nothing as long as it has neither a code nor a referrer. */
export const referralKey = (account: number): string => `referral of ${account}`;
export const referralValue = (row: {
  readonly code: string | null;
  readonly bound_code: string | null;
  readonly accrued: string;
  readonly claimed: string;
}): string =>
  row.code === null && row.bound_code === null
    ? ''
    : `${row.code} bound to ${row.bound_code}, ${row.accrued} accrued, ${row.claimed} claimed`;

export const withdrawalKey = (id: string): string => `withdrawal ${id}`;

/** The number of an account's fills on a market, and the number of the last. */
export const fillsKey = (account: number, symbol: string): string =>
  `fills of ${account} on ${symbol}`;

/** One side of a trade, as `userTrades` shows it. */
export const fillKey = (account: number, symbol: string, id: number, maker: boolean): string =>
  `fill ${id} of ${account} on ${symbol} ${maker ? 'as maker' : 'as taker'}`;
export const fillValue = (fill: {
  readonly price: string;
  readonly qty: string;
  readonly realizedPnl: string;
  readonly commission: string;
}): string => `${fill.qty}@${fill.price} pnl ${fill.realizedPnl} fee ${fill.commission}`;

/** The number of rows in an account's ledger, and the last of them. */
export const ledgerKey = (account: number): string => `ledger of ${account}`;
export const ledgerRowKey = (id: string): string => `row of a ledger ${id}`;
export const ledgerRowValue = (row: {
  readonly kind: string;
  readonly symbol: string | null;
  readonly amount: string;
  readonly balance: string;
}): string => `${row.kind} ${row.symbol} ${row.amount} makes ${row.balance}`;

export const tradeKey = (symbol: string, id: number): string => `trade ${id} on ${symbol}`;
export const tradeValue = (trade: {
  readonly price: string;
  readonly qty: string;
  readonly taker_side: string;
}): string => `${trade.taker_side} ${trade.qty}@${trade.price}`;

/** The number of a market's last trade. */
export const lastTradeKey = (symbol: string): string => `last trade on ${symbol}`;
