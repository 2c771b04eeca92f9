// GET /api/v1/deposits (NAT-3): money that came in, from the chain or by the operator's credit.

import { Type } from 'typebox';
import { formatUuid } from '../../units/uuid.ts';
import { decimalText, exactObject, idText, plainText, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
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
  response: Type.Array(
    exactObject({
      id: idText(),
      amount: decimalText('USDT; below 0 when a credit was corrected (OPS-1b).'),
      reference: plainText('Of the credit, or of its correction.'),
      time: timeNumber(),
    }),
  ),
  procedure: async (context, sent) => {
    const asked = { ...nativeWindow(sent), account: callerOf(context).id };
    const rows = await context.deployment.history.deposits(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(
      rows.map(({ id, amount, reference, time }) => ({
        id: formatUuid(time, id),
        amount: moneyText(amount),
        reference,
        time,
      })),
    );
  },
});
