// GET /api/v1/deposits (NAT-3): money that came in, from the chain or by the operator's credit.

import { Type } from 'typebox';
import { depositRecord, depositSchema } from '../depositRecord.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listDeposits = defineProcedure({
  ...routes.listDeposits,
  name: 'listDeposits',
  surface: 'native',
  weight: 3,
  summary: 'Deposits, ascending by time; the latest unless asked.',
  parameters: Type.Object(nativeWindowParameters),
  failures: ['databaseFailed'],
  response: Type.Array(depositSchema),
  procedure: async (context, sent) => {
    const asked = { ...nativeWindow(sent), account: callerOf(context).id };
    const rows = await context.deployment.history.deposits(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => depositRecord(context.deployment, row)));
  },
});
