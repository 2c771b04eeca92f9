// GET /api/v1/balances (NAT-1): FAPI's balance row in snake_case, with the figures that decide
// about orders, withdrawals and liquidation (MAR-7, MAR-8, LIQ-1).

import { type Static, Type } from 'typebox';
import type { Account } from '../../engine/views/account.ts';
import { type AccountFigures, accountFigures } from '../../engine/views/accountFigures.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import { withdrawable } from '../../engine/views/withdrawable.ts';
import { decimalText, exactObject } from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { balanceRecord, balanceSchema } from '../fapi/getBalanceV2.ts';
import { moneyText, rateText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { nativeRecord, snakeSchemaWith } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';

const moreSchema = exactObject({
  margin_mode: enumerations.marginMode,
  equity: decimalText(),
  maint_margin: decimalText(),
  margin_ratio: decimalText(
    'Maintenance margin / equity over all positions, at most 100; above 1 liquidation begins ' +
      '(isolated: see the positions).',
  ),
  uncovered: decimalText('Margin that unrealised profit stands in for (unified).'),
  withdrawable: decimalText(),
  flagged: Type.Boolean({ description: 'Being liquidated: nothing may be opened.' }),
});

export const listBalances = defineQuery({
  ...routes.listBalances,
  name: 'listBalances',
  surface: 'native',
  weight: 1,
  summary: 'The balance; an account that never had one shows a row of zeros.',
  parameters: Type.Object({}),
  response: Type.Array(snakeSchemaWith(balanceSchema, moreSchema)),
  query: (context) => {
    const account = callerOf(context);
    const { exchange } = context.deployment;
    const figures = accountFigures(exchange, account);
    const record = nativeRecord(balanceRecord(account, figures));
    return answerJson([{ ...record, ...moreOf(exchange, account, figures) }]);
  },
});

function moreOf(
  exchange: Exchange,
  account: Account,
  figures: AccountFigures,
): Static<typeof moreSchema> {
  return {
    margin_mode: account.marginMode,
    equity: moneyText(figures.equity),
    maint_margin: moneyText(figures.maintenance),
    margin_ratio: rateText(figures.marginRatio),
    uncovered: moneyText(figures.uncovered),
    withdrawable: moneyText(withdrawable(exchange, account)),
    flagged: account.flagged,
  };
}
