// GET /api/v1/funding-payments: FAPI's fundingFeeHistory in snake_case.

import { Type } from 'typebox';
import { fundingFee, fundingFeeSchema } from '../fapi/getFundingFeeHistory.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { nativeRecord, snakeSchema } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listFundingPayments = defineProcedure({
  ...routes.listFundingPayments,
  name: 'listFundingPayments',
  surface: 'native',
  weight: 3,
  summary: 'Funding paid and received, ascending; the latest unless asked.',
  parameters: Type.Object({ symbol: optional(symbolParameter()), ...nativeWindowParameters }),
  failures: ['databaseFailed'],
  response: Type.Array(snakeSchema(fundingFeeSchema)),
  procedure: async (context, sent) => {
    const { deployment } = context;
    const asked = { ...nativeWindow(sent), account: callerOf(context).id };
    const rows = await deployment.history.fundingPayments(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => nativeRecord(fundingFee(row, marketOf(deployment, row)))));
  },
});
