// GET /fapi/v1/openAlgoOrders (conventions, 9.3): every waiting trigger, of both routes (TRG-2).
// One stock client requests algoOpenOrders for this list, so that path answers the same.

import { type Static, Type } from 'typebox';
import { openTriggersOf, type Trigger } from '../../engine/views/trigger.ts';
import type { Context } from '../deployment.ts';
import { type Answer, callerOf, defineQuery, type Failure } from '../operation.ts';
import {
  choiceParameter,
  optional,
  orderIdParameter,
  symbolParameter,
} from '../parameterSchema.ts';
import { algoListText, algoRecordSchema } from './algoRecord.ts';
import { windowTooWide } from './algoWindow.ts';
import { timeParameters } from './windowOf.ts';

const parameters = Type.Object({
  symbol: optional(symbolParameter()),
  algoType: optional(choiceParameter(['CONDITIONAL'])),
  algoId: optional(orderIdParameter({ description: 'Just this one.' })),
  ...timeParameters,
});

function openAlgoOrders(
  context: Context,
  { symbol, algoId, startTime = 0, endTime = Number.POSITIVE_INFINITY }: Static<typeof parameters>,
): Answer {
  const asked = ({ id, createdAt }: Trigger): boolean =>
    (algoId === undefined || (algoId.id === id && algoId.createdAt === createdAt)) &&
    createdAt >= startTime &&
    createdAt <= endTime;
  const triggers = openTriggersOf(callerOf(context), symbol?.id).filter(asked);
  // A waiting trigger has no order yet.
  const rows = triggers.map((trigger) => ({ ...trigger, derived: null }));
  return { status: 200, text: algoListText(context.deployment, rows) };
}

function openAlgoRow(name: string, path: string) {
  return defineQuery({
    name,
    surface: 'fapi',
    method: 'GET',
    path,
    auth: 'key',
    weight: 1,
    summary: 'Waiting triggers of both routes, of one symbol or of all, ascending by time.',
    parameters,
    failures: ['parameterIllegal'],
    response: Type.Array(algoRecordSchema),
    query: (context, sent): Answer | Failure =>
      windowTooWide(sent) ?? openAlgoOrders(context, sent),
  });
}

export const openAlgoRows = {
  getOpenAlgoOrders: openAlgoRow('getOpenAlgoOrders', '/fapi/v1/openAlgoOrders'),
  getAlgoOpenOrders: openAlgoRow('getAlgoOpenOrders', '/fapi/v1/algoOpenOrders'),
} as const;
