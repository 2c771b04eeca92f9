// The parameters of a modification (PUT order, and each item of PUT batchOrders), the command that
// they make, and the meaning of its rejection.

import { type Static, Type } from 'typebox';
import type { ModifyOrder, OrderReference } from '../../engine/command.ts';
import { buy, sell } from '../../engine/orderTypes.ts';
import type { Rejection } from '../../engine/rejection.ts';
import type { Account } from '../../engine/views/account.ts';
import { parseDecimal } from '../../units/decimal.ts';
import type { Deployment } from '../deployment.ts';
import { findAnyOrder, type OrderQuery } from '../findAnyOrder.ts';
import { isRefused, readLots, readTicks } from '../grid.ts';
import type { Failure } from '../operation.ts';
import {
  choiceParameter,
  decimalParameter,
  flagParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import { orderChoiceParameters } from './orderChoice.ts';

export const modifyParameters = Type.Object({
  symbol: symbolParameter(),
  ...orderChoiceParameters,
  side: optional(choiceParameter(['BUY', 'SELL'])),
  quantity: decimalParameter({ description: 'The new total, at least what is filled.' }),
  price: decimalParameter(),
  priceMatch: optional(choiceParameter(['NONE'])),
  reduceOnly: optional(flagParameter({ description: 'Ignored.' })),
});

export type ModifyParameters = Static<typeof modifyParameters>;

/** The command of a modification. Quantity and price must be above zero (-1100). */
export function modifyCommand(
  account: Account,
  parameters: Pick<ModifyParameters, 'symbol' | 'side' | 'quantity' | 'price'>,
  order: OrderReference,
): ModifyOrder | Failure {
  const { symbol: market, side, quantity, price } = parameters;
  const lots = readLots(quantity, market);
  if (isRefused(lots)) return lots;
  const ticks = readTicks(price, market);
  if (isRefused(ticks)) return ticks;
  if (lots === 0) {
    // A quantity of zero is not a quantity; a quantity below one lot is too small.
    const none = parseDecimal(quantity)?.digits === 0n;
    return none ? { reason: 'quantityInvalid', name: 'quantity' } : { reason: 'quantityBelowLot' };
  }
  return {
    kind: 'modifyOrder',
    account: account.id,
    market: market.id,
    order,
    side: side === undefined ? undefined : side === 'BUY' ? buy : sell,
    lots,
    ticks,
  };
}

/**
 * The rejection of a modification when the order is missing. -2011: it has ended. -2013: it never
 * existed, or it is not a LIMIT order, such as a waiting trigger (spec, PUT order).
 */
export function modifyFailure(
  deployment: Deployment,
  query: OrderQuery,
  rejection: Rejection,
): Failure | Promise<Failure> {
  return rejection.reason === 'orderNotFound' ? refusalOfModify(deployment, query) : rejection;
}

/**
 * As with a cancel: the order counts as unknown when history does not answer, because nothing was
 * done.
 */
async function refusalOfModify(deployment: Deployment, query: OrderQuery): Promise<Failure> {
  const order = await findAnyOrder(deployment, query);
  if (order === undefined || 'reason' in order) return { reason: 'orderUnknown' };
  return { reason: order.type === 'LIMIT' ? 'orderEnded' : 'orderNotModifiable' };
}
