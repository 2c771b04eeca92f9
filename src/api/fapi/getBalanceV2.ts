// GET /fapi/v2/balance (spec, balance row). Only v2 exists.

import { type Static, Type } from 'typebox';
import type { Account } from '../../engine/views/account.ts';
import { type AccountFigures, accountFigures } from '../../engine/views/accountFigures.ts';
import { assetText, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { collateralAsset } from './collateralAsset.ts';

export const balanceSchema = exactObject({
  accountAlias: Type.Literal('default'),
  asset: assetText(),
  balance: decimalText(),
  crossWalletBalance: decimalText(),
  crossUnPnl: decimalText(),
  availableBalance: decimalText('What new orders can use.'),
  maxWithdrawAmount: decimalText(),
  marginAvailable: Type.Boolean(),
  updateTime: timeNumber(),
});

export const getBalanceV2 = defineQuery({
  name: 'getBalanceV2',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v2/balance',
  auth: 'key',
  weight: 5,
  summary: 'The balance; an account that never had one shows a row of zeros.',
  parameters: Type.Object({}),
  response: Type.Array(balanceSchema),
  query: (context) => {
    const account = callerOf(context);
    const figures = accountFigures(context.deployment.exchange, account);
    return answerJson([balanceRecord(account, figures)]);
  },
});

export function balanceRecord(
  account: Account,
  figures: AccountFigures,
): Static<typeof balanceSchema> {
  const available = moneyText(figures.availableBalance);
  return {
    accountAlias: 'default',
    asset: collateralAsset,
    balance: moneyText(figures.balance),
    crossWalletBalance: moneyText(figures.crossBalance),
    crossUnPnl: moneyText(figures.unrealized),
    availableBalance: available,
    maxWithdrawAmount: available,
    marginAvailable: true,
    updateTime: account.updatedAt,
  };
}
