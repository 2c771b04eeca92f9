// The parameters of a new order (conventions, 7.2), for POST order, order/test and each item of
// POST batchOrders, and the command that they make: an order, or a trigger of the order route.

import { type Static, Type } from 'typebox';
import type { PlaceOrder, PlaceTrigger } from '../../engine/command.ts';
import { orderTypes, selfTradeModes, workingTypes } from '../../engine/orderTypes.ts';
import { type Decimal, parseDecimal } from '../../units/decimal.ts';
import { noLots, noMoney, type Ticks } from '../../units/units.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { type Fields, isSent } from '../fields.ts';
import { gridFailures, isRefused, readLots, readMoney, readTicks } from '../grid.ts';
import type { Asking } from '../operation.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import {
  conflictOfTrigger,
  orderRouteTriggers,
  requiresOfTrigger,
  sentTerms,
  triggerCommand,
  typeSynonyms,
} from './triggerTerms.ts';

/** The times in force of the order route. GTD is for algo orders only (-1102). */
export const placeTimesInForce = ['GTC', 'IOC', 'FOK', 'GTX'] as const;

/** The types of the order route. A trailing stop is for algo orders only (-1130). */
export const placeTypes = [...orderTypes, ...orderRouteTriggers] as const;

export const placeParameters = Type.Object({
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(placeTypes, { synonyms: typeSynonyms }),
  positionSide: optional(choiceParameter(['BOTH', 'LONG', 'SHORT'])),
  timeInForce: optional(choiceParameter(placeTimesInForce, { refuse: 'parameterMalformed' })),
  quantity: optional(decimalParameter()),
  quoteOrderQty: optional(decimalParameter({ description: 'MARKET only, without quantity.' })),
  price: optional(
    decimalParameter({ description: 'Of LIMIT, STOP and TAKE_PROFIT; else ignored.' }),
  ),
  stopPrice: optional(
    decimalParameter({ aliases: ['triggerPrice'], description: 'Of the trigger types.' }),
  ),
  newClientOrderId: optional(clientOrderIdParameter()),
  clientAlgoId: optional(
    clientOrderIdParameter({
      description: 'Of the trigger types, before newClientOrderId; else ignored.',
    }),
  ),
  newOrderRespType: optional(choiceParameter(['ACK', 'RESULT'])),
  reduceOnly: optional(flagParameter()),
  closePosition: optional(
    flagParameter({ description: 'STOP_MARKET and TAKE_PROFIT_MARKET only.' }),
  ),
  workingType: optional(choiceParameter(workingTypes)),
  priceProtect: optional(flagParameter()),
  priceMatch: optional(choiceParameter(['NONE'])),
  selfTradePreventionMode: optional(choiceParameter(selfTradeModes)),
});

export type PlaceParameters = Static<typeof placeParameters>;

/** Which parameters the type requires (-1102). This check comes before the symbol. */
export function requiresOfPlace(
  { type, timeInForce, closePosition }: Partial<PlaceParameters>,
  fields: Fields,
): Refusal | undefined {
  if (timeInForce === 'GTX' && type !== 'LIMIT') {
    return { reason: 'parameterMalformed', name: 'timeInForce' };
  }
  if (type !== undefined && type !== 'LIMIT' && type !== 'MARKET') {
    return requiresOfTrigger({ type, closePosition }, fields, 'stopPrice');
  }
  const quantity = isSent(fields, 'quantity');
  if (type === 'LIMIT') {
    if (!quantity) return { reason: 'parameterMissing', name: 'quantity' };
    if (!isSent(fields, 'price')) return { reason: 'priceMissing' };
    return undefined;
  }
  if (quantity || isSent(fields, 'quoteorderqty')) return undefined;
  return { reason: 'parameterMissing', name: 'quantity' };
}

/** The reasons for which placing an order or a trigger may fail. */
export const placeFailures = [
  ...commandRejections.placeOrder,
  ...commandRejections.placeTrigger,
  ...gridFailures,
  'priceMissing',
  'parameterNotAllowed',
  'orderEnded',
] as const;

export type PlaceRequest = Asking & { readonly parameters: PlaceParameters };

/** The command of a new order. It checks decimals (-1100) first, then combinations (-1106). */
export function placeCommand(request: PlaceRequest): PlaceOrder | PlaceTrigger | Refusal {
  const { parameters } = request;
  const { type } = parameters;
  if (type === 'LIMIT' || type === 'MARKET') return orderCommand(request, type);
  const { newClientOrderId, clientAlgoId, stopPrice, timeInForce, ...rest } = parameters;
  return triggerCommand({
    ...request,
    route: 'order',
    conflict: conflictOfQuote(parameters) ?? conflictOfTrigger(parameters),
    terms: {
      ...rest,
      type,
      timeInForce: timeInForce ?? 'GTC',
      triggerPrice: { name: 'stopPrice', text: stopPrice },
      callbackRate: undefined,
      activatePrice: undefined,
      goodTillDate: undefined,
      // One stock client names the triggers of a batch by this id. It also adds a newClientOrderId
      // that its user never sees.
      clientOrderId: clientAlgoId ?? newClientOrderId,
    },
  });
}

function orderCommand(request: PlaceRequest, type: PlaceOrder['type']): PlaceOrder | Refusal {
  const { account, parameters, idempotencyKey, idempotencyRequest } = request;
  const { symbol: market, quantity, quoteOrderQty, price } = parameters;
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
  const conflict = conflictOfQuote(parameters) ?? conflictOfOrder(parameters, stop);
  if (conflict !== undefined) return conflict;
  return {
    kind: 'placeOrder',
    account: account.id,
    market: market.id,
    type,
    timeInForce: limited ? (parameters.timeInForce ?? 'GTC') : 'GTC',
    lots,
    quote,
    ticks,
    ...sentTerms(parameters),
    clientOrderId: parameters.newClientOrderId ?? '',
    maxSlippage: undefined,
    idempotencyKey,
    idempotencyRequest,
  };
}

/** quoteOrderQty replaces the quantity of a MARKET order, and has no other use (-1106). */
function conflictOfQuote(parameters: PlaceParameters): Refusal | undefined {
  const { type, quantity, quoteOrderQty } = parameters;
  if (quoteOrderQty === undefined || (quantity === undefined && type === 'MARKET')) {
    return undefined;
  }
  return { reason: 'parameterNotAllowed', name: 'quoteOrderQty' };
}

/** Parameters that only triggers have (-1106). A stop price of zero counts as not sent. */
function conflictOfOrder(
  { closePosition }: PlaceParameters,
  stop: Decimal | undefined,
): Refusal | undefined {
  if (closePosition === true) return { reason: 'parameterNotAllowed', name: 'closePosition' };
  if (stop === undefined || stop.digits === 0n) return undefined;
  return { reason: 'parameterNotAllowed', name: 'stopPrice' };
}
