// GET /fapi/v2/balance (spec, balance row). Only v2 exists.

import { Type } from 'typebox';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { assetText, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { collateralAsset } from './collateralAsset.ts';

export const getBalanceV2 = defineQuery({
  name: 'getBalanceV2',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v2/balance',
  auth: 'key',
  weight: 5,
  summary: 'The balance; an account that never had one shows a row of zeros.',
  parameters: Type.Object({}),
  response: Type.Array(
    exactObject({
      accountAlias: Type.Literal('default'),
      asset: assetText(),
      balance: decimalText(),
      crossWalletBalance: decimalText(),
      crossUnPnl: decimalText(),
      availableBalance: decimalText(),
      maxWithdrawAmount: decimalText(),
      marginAvailable: Type.Boolean(),
      updateTime: timeNumber(),
    }),
  ),
  query: (context) => {
    const account = callerOf(context);
    const figures = accountFigures(context.deployment.exchange, account);
    const balance = moneyText(figures.balance);
    const available = moneyText(figures.available);
    return answerJson([
      {
        accountAlias: 'default',
        asset: collateralAsset,
        balance,
        crossWalletBalance: moneyText(figures.crossBalance),
        crossUnPnl: moneyText(figures.unrealized),
        availableBalance: available,
        maxWithdrawAmount: available,
        marginAvailable: true,
        updateTime: account.updatedAt,
      },
    ]);
  },
});
