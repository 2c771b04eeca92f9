// The parameters of a new native order (NAT-1), for POST orders, its preview and each item of a
// batch, and the command that they make: LIMIT and MARKET, with the slippage bound that FAPI does
// not have (ORD-3).

import { type Static, Type } from 'typebox';
import type { PlaceOrder } from '../../engine/command.ts';
import { buy, orderTypes, selfTradeModes, sell, timesInForce } from '../../engine/orderTypes.ts';
import type { Account } from '../../engine/views/account.ts';
import { parseScaled } from '../../units/decimal.ts';
import { noMoney, type Rate, rateDecimals, rateOne, type Ticks } from '../../units/units.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { type Fields, isSent } from '../fields.ts';
import { gridFailures, isRefused, readLots, readTicks } from '../grid.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import { isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';
import { attachedParameters, readAttached, refuseLegs } from './legParameters.ts';

/** What bounds an order must not be lost in a blank value (AUTH-3a). */
export const nativeOrderParameters = Type.Object({
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(orderTypes, { refuse: 'orderTypeUnknown' }),
  quantity: decimalParameter({ description: 'In base units; floored to the lot.' }),
  price: optional(decimalParameter({ description: 'Of LIMIT; ignored on MARKET.' })),
  time_in_force: optional(choiceParameter(timesInForce, { refuses: 'blank' })),
  reduce_only: optional(flagParameter({ refuses: 'blank' })),
  self_trade_prevention_mode: optional(choiceParameter(selfTradeModes, { refuses: 'blank' })),
  client_order_id: optional(clientOrderIdParameter()),
  max_slippage: optional(
    decimalParameter({
      description: 'Of MARKET: |average price − mark| / mark at most, 0 to 1.',
      refuses: 'blank',
    }),
  ),
  ...attachedParameters,
});

export type NativeOrderParameters = Static<typeof nativeOrderParameters>;

/** The reasons for which placing an order may fail. */
export const nativePlaceFailures = [
  ...commandRejections.placeOrder,
  ...gridFailures,
  'parameterNotAllowed',
  'priceMissing',
] as const;

/** What the type requires and forbids. */
export function requiresOfNativeOrder(
  { type, time_in_force: timeInForce }: Partial<NativeOrderParameters>,
  fields: Fields,
): Refusal | undefined {
  if (type === 'LIMIT') {
    if (!isSent(fields, 'price')) return { reason: 'priceMissing' };
    if (isSent(fields, 'max_slippage')) return notAllowed('max_slippage');
    return undefined;
  }
  return timeInForce === 'GTX' ? notAllowed('time_in_force') : undefined;
}

const notAllowed = (name: string): Refusal => ({ reason: 'parameterNotAllowed', name });

export type NativeOrderRequest = {
  readonly account: Account;
  readonly parameters: NativeOrderParameters;
  /** Empty where the row reads no Idempotency-Key. */
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

export const noIdempotency = { idempotencyKey: '', idempotencyRequest: '' } as const;

export function nativeOrderCommand(request: NativeOrderRequest): PlaceOrder | Refusal {
  const { account, parameters, idempotencyKey, idempotencyRequest } = request;
  const { symbol: market, type, quantity, price, max_slippage } = parameters;
  const limited = type === 'LIMIT';
  const ticks = limited && price !== undefined ? readTicks(price, market) : (0 as Ticks);
  if (isRefused(ticks)) return ticks;
  const lots = readLots(quantity, market);
  if (isRefused(lots)) return lots;
  const maxSlippage = max_slippage === undefined ? undefined : readSlippage(max_slippage);
  if (typeof maxSlippage === 'object') return maxSlippage;
  const forbidden = parameters.reduce_only ? refuseLegs(parameters) : undefined;
  const attached = forbidden ?? readAttached(parameters, market);
  if (attached !== undefined && isRefusal(attached)) return attached;
  return {
    kind: 'placeOrder',
    account: account.id,
    market: market.id,
    side: parameters.side === 'BUY' ? buy : sell,
    type,
    timeInForce: limited ? (parameters.time_in_force ?? 'GTC') : 'GTC',
    lots,
    quote: noMoney,
    ticks,
    reduceOnly: parameters.reduce_only ?? false,
    selfTradeMode: parameters.self_trade_prevention_mode,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: parameters.client_order_id ?? '',
    maxSlippage,
    attached,
    idempotencyKey,
    idempotencyRequest,
  };
}

/** A fraction in 0…1, floored to 1e-8, so that it is never looser than the client asked for. */
function readSlippage(text: string): Rate | Refusal {
  const name = 'max_slippage';
  const scaled = parseScaled(text, rateDecimals);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  const bounded = scaled.kind !== 'outOfRange' && scaled.value <= rateOne;
  if (!bounded || text.startsWith('-')) return { reason: 'quantityInvalid', name };
  return scaled.value as Rate;
}
