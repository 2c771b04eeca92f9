// GET /fapi/v3/account (conventions, 15): its positions are those that are open or have orders.

import { Type } from 'typebox';
import { type Exchange, marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Position, positionOf } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { accountPosition, accountPositionSchemas } from './accountPosition.ts';
import { accountAssetSchema, accountSummary, accountTotalsSchema } from './accountSummary.ts';

const positionSchema = exactObject({
  ...accountPositionSchemas,
  maintMargin: decimalText(),
  updateTime: timeNumber(),
});

export const getAccountV3 = defineQuery({
  name: 'getAccountV3',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v3/account',
  auth: 'key',
  weight: 1,
  summary: 'Totals, the asset and the positions of the account.',
  parameters: Type.Object({}),
  response: exactObject({
    ...accountTotalsSchema.properties,
    assets: Type.Array(accountAssetSchema),
    positions: Type.Array(positionSchema),
  }),
  query: (context) => {
    const account = callerOf(context);
    const { exchange } = context.deployment;
    const { totals, asset } = accountSummary(exchange, account);
    const positions: object[] = [];
    for (const market of marketsOf(exchange)) {
      const position = positionOf(account, market.id);
      if (position !== undefined && isInUse(position)) {
        positions.push(positionRecord(exchange, market, position));
      }
    }
    return answerJson({ ...totals, assets: [asset], positions });
  },
});

function isInUse({ lots, orderCount }: Position): boolean {
  return lots !== 0 || orderCount > 0;
}

function positionRecord(exchange: Exchange, market: Market, position: Position): object {
  const figures = positionFigures(exchange, position);
  return {
    ...accountPosition(market, figures),
    maintMargin: moneyText(figures.maintenance),
    updateTime: position.updatedAt,
  };
}
