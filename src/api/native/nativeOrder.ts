// The order of FAPI (orderRecord.ts) under its native names. Every native row about orders answers
// it (NAT-1), and the account channel shows it (WS-2).

import type { Market } from '../../engine/views/market.ts';
import type { Trigger } from '../../engine/views/trigger.ts';
import type { Deployment } from '../deployment.ts';
import type { ShownOrderOrTrigger } from '../historyPort.ts';
import type { Answer } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { type OrderFigures, orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { nativeText, snakeSchema } from './nativeRecord.ts';

export const nativeOrderSchema = snakeSchema(orderRecordSchema);

/** The JSON text of an order as it is now, or of a trigger without an order. */
export function nativeOrderText(shown: OrderFigures | Readonly<Trigger>, market: Market): string {
  return orderRecordText(shown, market, nativeText);
}

/** An answer that is one order. */
export function nativeOrderAnswer(deployment: Deployment, order: ShownOrderOrTrigger): Answer {
  return { status: 200, text: nativeOrderText(order, marketOf(deployment, order)) };
}
