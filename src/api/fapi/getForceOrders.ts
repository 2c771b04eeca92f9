// GET /fapi/v1/forceOrders (conventions, 10.3): the account's positions that the exchange closed,
// as order objects. Their client id shows the kind.

import { Type } from 'typebox';
import { forcedOrder } from '../forcedOrder.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { choiceParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 50, most: 100 };

export const getForceOrders = defineProcedure({
  name: 'getForceOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/forceOrders',
  auth: 'key',
  weight: 20,
  summary: "The account's liquidations and deleveragings, the latest unless asked.",
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    autoCloseType: optional(choiceParameter(['LIQUIDATION', 'ADL'])),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(orderRecordSchema),
  procedure: async (context, { autoCloseType, ...sent }) => {
    const { deployment } = context;
    const window = { ...windowOf(sent, bounds), autoCloseType };
    const rows = await deployment.forceOrdersOf(callerOf(context).id, window);
    if (hasFailed(rows)) return rows;
    const texts = rows.map((row) => orderRecordText(forcedOrder(row), marketOf(deployment, row)));
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});
