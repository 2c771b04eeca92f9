// GET /fapi/v2/account (conventions, 15): like v3, with the account's flags added, and with one
// position row for each market, open or not.

import { Type } from 'typebox';
import { type Account, tierOf } from '../../engine/views/account.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { type Exchange, marketsOf } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { positionOf } from '../../engine/views/position.ts';
import { type PositionFigures, positionFigures } from '../../engine/views/positionFigures.ts';
import { type Lots, type Money, noLots, noMoney } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { accountPosition, accountPositionSchemas } from './accountPosition.ts';
import { accountAssetSchema, accountSummary, accountTotalsSchema } from './accountSummary.ts';
import { leverageSchema, positionMarginSchemas } from './positionMargins.ts';

const positionSchema = exactObject({
  ...accountPositionSchemas,
  ...positionMarginSchemas,
  maintMargin: decimalText(),
  leverage: leverageSchema,
  entryPrice: decimalText(),
  breakEvenPrice: decimalText(),
  maxNotional: decimalText(),
  bidNotional: decimalText(),
  askNotional: decimalText(),
  updateTime: timeNumber(),
});

export const getAccountV2 = defineQuery({
  name: 'getAccountV2',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v2/account',
  auth: 'key',
  weight: 1,
  summary: 'Flags, totals, the asset and one position for each symbol.',
  parameters: Type.Object({}),
  response: exactObject({
    feeTier: countNumber(),
    feeBurn: Type.Boolean(),
    canTrade: Type.Boolean(),
    canDeposit: Type.Boolean(),
    canWithdraw: Type.Boolean(),
    multiAssetsMargin: Type.Boolean(),
    tradeGroupId: Type.Literal(-1),
    updateTime: timeNumber(),
    ...accountTotalsSchema.properties,
    assets: Type.Array(
      exactObject({ ...accountAssetSchema.properties, marginAvailable: Type.Boolean() }),
    ),
    positions: Type.Array(positionSchema),
  }),
  query: (context) => {
    const account = callerOf(context);
    const { exchange } = context.deployment;
    const { totals, asset } = accountSummary(exchange, account);
    return answerJson({
      feeTier: tierOf(exchange, account),
      feeBurn: false,
      canTrade: true,
      canDeposit: true,
      canWithdraw: false,
      multiAssetsMargin: false,
      tradeGroupId: -1,
      updateTime: account.updatedAt,
      ...totals,
      assets: [{ ...asset, marginAvailable: true }],
      positions: marketsOf(exchange).map((market) => positionRecord(exchange, market, account)),
    });
  },
});

type Shown = Pick<
  PositionFigures,
  | 'unrealized'
  | 'notional'
  | 'collateral'
  | 'positionMargin'
  | 'requiredMargin'
  | 'orderMargin'
  | 'maintenance'
  | 'bidNotional'
> & { readonly lots: Lots; readonly askNotional: Money };

/** What a market shows when the account never traded in it. */
const blank: Shown = {
  lots: noLots,
  unrealized: noMoney,
  notional: noMoney,
  collateral: noMoney,
  positionMargin: noMoney,
  requiredMargin: noMoney,
  orderMargin: noMoney,
  maintenance: noMoney,
  bidNotional: noMoney,
  askNotional: noMoney,
};

function positionRecord(exchange: Exchange, market: Market, account: Account): object {
  const position = positionOf(account, market.id);
  const figures = position === undefined ? blank : positionFigures(exchange, position);
  const entryPrice = position === undefined ? '0' : entryPriceText(market, position);
  return {
    ...accountPosition(market, figures),
    positionInitialMargin: moneyText(figures.positionMargin),
    openOrderInitialMargin: moneyText(figures.orderMargin),
    maintMargin: moneyText(figures.maintenance),
    leverage: String(leverageOf(market, position)),
    entryPrice,
    breakEvenPrice: entryPrice,
    maxNotional: moneyText(market.terms.openInterestCap),
    bidNotional: moneyText(figures.bidNotional),
    askNotional: moneyText(figures.askNotional),
    updateTime: position?.updatedAt ?? 0,
  };
}
