// GET /fapi/v1/accountConfig (conventions, 15). No API key can withdraw (spec).

import { Type } from 'typebox';
import { tierOf } from '../../engine/views/account.ts';
import { countNumber, exactObject, timeNumber } from '../answerSchema.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';

export const getAccountConfig = defineQuery({
  name: 'getAccountConfig',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/accountConfig',
  auth: 'key',
  weight: 1,
  summary: 'Fee tier and what the account may do.',
  parameters: Type.Object({}),
  response: exactObject({
    feeTier: countNumber(),
    canTrade: Type.Boolean(),
    canDeposit: Type.Boolean(),
    canWithdraw: Type.Boolean(),
    dualSidePosition: Type.Boolean(),
    updateTime: timeNumber(),
    multiAssetsMargin: Type.Boolean(),
    tradeGroupId: Type.Literal(-1),
  }),
  query: (context) => {
    const account = callerOf(context);
    return answerJson({
      feeTier: tierOf(context.deployment.exchange, account),
      canTrade: true,
      canDeposit: true,
      canWithdraw: false,
      dualSidePosition: false,
      updateTime: account.updatedAt,
      multiAssetsMargin: false,
      tradeGroupId: -1,
    });
  },
});
