// GET /api/v1/ledger (BAL-3, NAT-1): every change of the caller's balance.

import { Type } from 'typebox';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { ledgerRecord, ledgerSchema } from './ledgerRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listLedger = defineProcedure({
  ...routes.listLedger,
  name: 'listLedger',
  surface: 'native',
  weight: 3,
  summary: 'Every change of the balance, ascending; the latest unless asked.',
  parameters: Type.Object({ symbol: optional(symbolParameter()), ...nativeWindowParameters }),
  failures: ['databaseFailed'],
  response: Type.Array(ledgerSchema),
  procedure: async (context, sent) => {
    const { deployment } = context;
    const asked = { ...nativeWindow(sent), account: callerOf(context).id };
    const rows = await deployment.history.ledger(asked);
    return hasFailed(rows) ? rows : answerJson(rows.map((row) => ledgerRecord(deployment, row)));
  },
});
