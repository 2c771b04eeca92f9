// The parameters of a native change of an order, for PUT orders and each item of a batch, the
// command that they make, and the meaning of its rejection (ORD-5). The path names no market: it is
// that of the order, and without an active order there is no command.

import { type Static, Type } from 'typebox';
import type { ModifyOrder } from '../../engine/command.ts';
import type { Rejection } from '../../engine/rejection.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { modifyCommand } from '../fapi/modifyParameters.ts';
import { findActive, findAnyOrder, type OrderQuery } from '../findAnyOrder.ts';
import { gridFailures } from '../grid.ts';
import { callerOf, type Failure } from '../operation.ts';
import { choiceParameter, decimalParameter, optional } from '../parameterSchema.ts';
import {
  nativeOrderFailures,
  nativeOrderIdParameter,
  readNativeOrderId,
  refusalOfNative,
} from './nativeOrderId.ts';

export const nativeModifyParameters = Type.Object({
  id: nativeOrderIdParameter(),
  side: optional(choiceParameter(['BUY', 'SELL'])),
  quantity: decimalParameter({ description: 'The new total, at least what is filled.' }),
  price: decimalParameter(),
});

type Parameters = Static<typeof nativeModifyParameters>;

export const nativeModifyFailures = [
  ...commandRejections.modifyOrder,
  ...gridFailures,
  ...nativeOrderFailures,
  'orderNotModifiable',
] as const;

export type NativeModification = { readonly command: ModifyOrder; readonly query: OrderQuery };

/** The command, or why there is none. */
export function nativeModification(
  context: Context,
  { id, ...parameters }: Parameters,
): NativeModification | Failure | Promise<Failure> {
  const reference = readNativeOrderId(id);
  if ('reason' in reference) return reference;
  const { deployment } = context;
  const account = callerOf(context);
  const query: OrderQuery = { account, reference, market: undefined };
  const order = findActive(deployment, query);
  if (order === undefined) return refusalOfNativeModify(context, query);
  const symbol = must(marketById(deployment.exchange, order.market), 'an order is on a market');
  const command = modifyCommand(account, { symbol, ...parameters }, reference);
  return 'reason' in command ? command : { command, query };
}

/** The rejection of a native change, when the order is missing by what it is or was. */
export function nativeModifyFailure(
  context: Context,
  query: OrderQuery,
  rejection: Rejection,
): Failure | Promise<Failure> {
  return rejection.reason === 'orderNotFound' ? refusalOfNativeModify(context, query) : rejection;
}

/** A waiting trigger, or what came of one, is no LIMIT order that can change here. */
async function refusalOfNativeModify({ deployment }: Context, query: OrderQuery): Promise<Failure> {
  const order = await findAnyOrder(deployment, query);
  const known = order !== undefined && !('reason' in order);
  if (known && order.type !== 'LIMIT') return { reason: 'orderNotModifiable' };
  return refusalOfNative(deployment, query);
}
