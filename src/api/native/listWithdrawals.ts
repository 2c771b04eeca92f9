// GET /api/v1/withdrawals (NAT-3): the caller's withdrawals, pending and ended, as far as the view
// of them remembers.

import { Type } from 'typebox';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { withdrawalRecord, withdrawalSchema } from '../withdrawalRecord.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listWithdrawals = defineQuery({
  name: 'listWithdrawals',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/withdrawals',
  auth: 'jwt',
  weight: 1,
  summary: 'Withdrawals by the time of their request, ascending; the latest unless asked.',
  parameters: Type.Object(nativeWindowParameters),
  response: Type.Array(withdrawalSchema),
  query: (context, sent) => {
    const { id, address } = callerOf(context);
    const rows = context.deployment.withdrawalsOf(id, nativeWindow(sent));
    return answerJson(rows.map((row) => withdrawalRecord(row, address)));
  },
});
