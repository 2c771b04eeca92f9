// The parameters of a new order (conventions, 7.2), of POST order, order/test and each item of
// POST batchOrders, and the command that they make.

import { type Static, Type } from 'typebox';
import type { Account } from '../../engine/account.ts';
import type { PlaceOrder } from '../../engine/command.ts';
import { buy, orderTypes, selfTradeModes, sell, workingTypes } from '../../engine/order.ts';
import { type Decimal, parseDecimal } from '../../units/decimal.ts';
import { noLots, noMoney, type Ticks } from '../../units/units.ts';
import { type Fields, isSent } from '../fields.ts';
import { isRefused, readLots, readMoney, readTicks } from '../grid.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';

/** What new orders carry on the order route. GTD is for algo orders only (-1102). */
export const placeTimesInForce = ['GTC', 'IOC', 'FOK', 'GTX'] as const;

export const placeParameters = Type.Object({
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(orderTypes),
  positionSide: optional(choiceParameter(['BOTH', 'LONG', 'SHORT'])),
  timeInForce: optional(choiceParameter(placeTimesInForce, { refuse: 'parameterMalformed' })),
  quantity: optional(decimalParameter()),
  quoteOrderQty: optional(decimalParameter({ description: 'MARKET only, without quantity.' })),
  price: optional(decimalParameter({ description: 'Of LIMIT; ignored on MARKET.' })),
  stopPrice: optional(decimalParameter({ aliases: ['triggerPrice'] })),
  newClientOrderId: optional(clientOrderIdParameter()),
  newOrderRespType: optional(choiceParameter(['ACK', 'RESULT'])),
  reduceOnly: optional(flagParameter()),
  closePosition: optional(flagParameter()),
  workingType: optional(choiceParameter(workingTypes)),
  priceProtect: optional(flagParameter()),
  priceMatch: optional(choiceParameter(['NONE'])),
  selfTradePreventionMode: optional(choiceParameter(selfTradeModes)),
});

export type PlaceParameters = Static<typeof placeParameters>;

/** What the type makes necessary (-1102), before the symbol is looked at. */
export function requiresOfPlace(
  { type, timeInForce }: Partial<PlaceParameters>,
  fields: Fields,
): Refusal | undefined {
  const quantity = isSent(fields, 'quantity');
  if (type === 'LIMIT') {
    if (!quantity) return { reason: 'parameterMissing', name: 'quantity' };
    if (!isSent(fields, 'price')) return { reason: 'priceMissing' };
    return undefined;
  }
  if (timeInForce === 'GTX') return { reason: 'parameterMalformed', name: 'timeInForce' };
  if (quantity || isSent(fields, 'quoteorderqty')) return undefined;
  return { reason: 'parameterMissing', name: 'quantity' };
}

export type PlaceRequest = {
  readonly account: Account;
  readonly parameters: PlaceParameters;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/** The command of a new order. Decimals (-1100) first, then combinations (-1106). */
export function placeCommand({
  account,
  parameters,
  idempotencyKey,
  idempotencyRequest,
}: PlaceRequest): PlaceOrder | Refusal {
  const { symbol: market, type, quantity, quoteOrderQty, price } = parameters;
  const limited = type === 'LIMIT';
  const ticks = limited && price !== undefined ? readTicks(price, market) : (0 as Ticks);
  if (isRefused(ticks)) return ticks;
  const lots = quantity === undefined ? noLots : readLots(quantity, market);
  if (isRefused(lots)) return lots;
  const quote = quoteOrderQty === undefined ? noMoney : readMoney(quoteOrderQty, 'quoteOrderQty');
  if (isRefused(quote)) return quote;
  const stop = parameters.stopPrice === undefined ? undefined : parseDecimal(parameters.stopPrice);
  if (parameters.stopPrice !== undefined && stop === undefined) {
    return { reason: 'parameterIllegal', name: 'stopPrice' };
  }
  const conflict = conflictOf(parameters, stop);
  if (conflict !== undefined) return conflict;
  return {
    kind: 'placeOrder',
    account: account.id,
    market: market.id,
    side: parameters.side === 'BUY' ? buy : sell,
    type,
    timeInForce: limited ? (parameters.timeInForce ?? 'GTC') : 'GTC',
    lots,
    quote,
    ticks,
    reduceOnly: parameters.reduceOnly ?? false,
    selfTradeMode: parameters.selfTradePreventionMode,
    workingType: parameters.workingType ?? 'CONTRACT_PRICE',
    priceProtect: parameters.priceProtect ?? false,
    clientOrderId: parameters.newClientOrderId ?? '',
    maxSlippage: undefined,
    idempotencyKey,
    idempotencyRequest,
  };
}

/** What must not stand beside what (-1106). A stop price of zero counts as not sent. */
function conflictOf(
  { type, quantity, quoteOrderQty, closePosition }: PlaceParameters,
  stop: Decimal | undefined,
): Refusal | undefined {
  if (quoteOrderQty !== undefined && (quantity !== undefined || type !== 'MARKET')) {
    return { reason: 'parameterNotAllowed', name: 'quoteOrderQty' };
  }
  if (closePosition === true) return { reason: 'parameterNotAllowed', name: 'closePosition' };
  if (stop === undefined || stop.digits === 0n) return undefined;
  return { reason: 'parameterNotAllowed', name: 'stopPrice' };
}
