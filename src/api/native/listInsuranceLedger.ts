// GET /api/v1/insurance-fund/ledger (BAL-3, LIQ-3): every change of the insurance fund's balance.
// It is public, like the fund's balance.

import { Type } from 'typebox';
import { insuranceAccount } from '../../engine/marginModes.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { marketParameter, optional } from '../parameterSchema.ts';
import { ledgerRecord, ledgerSchema } from './ledgerRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listInsuranceLedger = defineProcedure({
  ...routes.listInsuranceLedger,
  name: 'listInsuranceLedger',
  surface: 'native',
  weight: 3,
  summary: "Every change of the insurance fund's balance, ascending; the latest unless asked.",
  parameters: Type.Object({ symbol: optional(marketParameter()), ...nativeWindowParameters }),
  failures: ['databaseFailed'],
  response: Type.Array(ledgerSchema),
  procedure: async ({ deployment }, sent) => {
    const asked = { ...nativeWindow(sent), account: insuranceAccount };
    const rows = await deployment.history.ledger(asked);
    return hasFailed(rows) ? rows : answerJson(rows.map((row) => ledgerRecord(deployment, row)));
  },
});
