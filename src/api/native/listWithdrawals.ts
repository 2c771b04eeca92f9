// GET /api/v1/withdrawals (NAT-3): the caller's withdrawals, pending and ended.

import { Type } from 'typebox';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { withdrawalRecord, withdrawalSchema } from '../withdrawalRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listWithdrawals = defineProcedure({
  ...routes.listWithdrawals,
  name: 'listWithdrawals',
  surface: 'native',
  weight: 1,
  summary: 'Withdrawals by the time of their request, ascending; the latest unless asked.',
  parameters: Type.Object(nativeWindowParameters),
  failures: ['databaseFailed'],
  response: Type.Array(withdrawalSchema),
  procedure: async (context, sent) => {
    const { id, address } = callerOf(context);
    const rows = await context.deployment.withdrawalsOf(id, nativeWindow(sent));
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => withdrawalRecord(context.deployment, row, address)));
  },
});
