// GET /fapi/v1/allAlgoOrders (conventions, 9.5): triggers of all states on a symbol, ascending by
// time.

import { type Static, Type } from 'typebox';
import type { Time } from '../../units/units.ts';
import type { Context } from '../deployment.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import { algoListText, algoRecordSchema } from './algoRecord.ts';
import { algoWindowMs, windowTooWide } from './algoWindow.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

const parameters = Type.Object({
  symbol: symbolParameter(),
  algoId: optional(orderIdParameter({ description: 'This one and those after it.' })),
  ...timeParameters,
  limit: limitParameter(bounds.normal, bounds.most),
});

type Parameters = Static<typeof parameters>;

export const getAllAlgoOrders = defineProcedure({
  name: 'getAllAlgoOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/allAlgoOrders',
  auth: 'key',
  weight: 5,
  summary: 'Triggers of both routes, whatever their state; of the last seven days unless asked.',
  parameters,
  failures: ['parameterIllegal', 'databaseFailed'],
  response: Type.Array(algoRecordSchema),
  procedure: async (context, sent) => {
    const refusal = windowTooWide(sent);
    if (refusal !== undefined) return refusal;
    const { deployment } = context;
    const rows = await deployment.history.triggers(windowOfAlgo(context, sent));
    return hasFailed(rows) ? rows : { status: 200, text: algoListText(deployment, rows) };
  },
});

/**
 * The period of the query: seven days from its one bound, else the last seven days. A query that
 * begins at an id has no end in time (as with orders).
 */
function windowOfAlgo(context: Context, sent: Parameters) {
  const { symbol, startTime, endTime, algoId } = sent;
  const asked = {
    ...windowOf(sent, bounds),
    account: callerOf(context).id,
    market: symbol.id,
    from: algoId,
  };
  if (algoId !== undefined) return asked;
  if (startTime !== undefined) return { ...asked, endTime: endTime ?? startTime + algoWindowMs };
  return { ...asked, earliest: ((endTime ?? context.now) - algoWindowMs) as Time };
}
