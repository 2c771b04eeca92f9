// GET /fapi/v1, v2 and v3 positionRisk: one row for each open position (spec). All three give the
// same record, which has the members that v3 adds.

import { Type } from 'typebox';
import type { Account } from '../../engine/account.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/market.ts';
import type { Position } from '../../engine/position.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { must } from '../../std/assert.ts';
import type { Money } from '../../units/units.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { collateralAsset } from './collateralAsset.ts';
import { optionalSymbol } from './oneOrAll.ts';

const text = Type.String();
const row = Type.Object({
  symbol: text,
  positionAmt: text,
  entryPrice: text,
  breakEvenPrice: text,
  markPrice: text,
  unRealizedProfit: text,
  liquidationPrice: text,
  leverage: text,
  marginType: Type.Literal('cross'),
  isolatedMargin: text,
  isolatedWallet: text,
  positionSide: Type.Enum(['LONG', 'SHORT']),
  notional: text,
  marginAsset: text,
  initialMargin: text,
  maintMargin: text,
  positionInitialMargin: text,
  openOrderInitialMargin: text,
  bidNotional: text,
  askNotional: text,
  updateTime: Type.Integer(),
});

function riskRecord(exchange: Exchange, market: Market, position: Position): object {
  const figures = positionFigures(exchange, position);
  const entryPrice = entryPriceText(market, position);
  const collateral = moneyText(figures.collateral);
  const { liquidationTicks, orderMargin } = figures;
  return {
    symbol: market.symbol,
    positionAmt: quantityText(figures.lots, market),
    entryPrice,
    breakEvenPrice: entryPrice,
    markPrice: priceText(figures.mark, market),
    unRealizedProfit: moneyText(figures.unrealized),
    liquidationPrice: liquidationTicks === 0 ? '0' : priceText(liquidationTicks, market),
    leverage: String(figures.leverage),
    marginType: 'cross',
    isolatedMargin: collateral,
    isolatedWallet: collateral,
    positionSide: figures.lots > 0 ? 'LONG' : 'SHORT',
    notional: moneyText(figures.notional),
    marginAsset: collateralAsset,
    initialMargin: moneyText((figures.collateral + orderMargin) as Money),
    maintMargin: moneyText(figures.maintenance),
    positionInitialMargin: collateral,
    openOrderInitialMargin: moneyText(orderMargin),
    bidNotional: moneyText(figures.bidNotional),
    askNotional: moneyText(figures.askNotional),
    updateTime: position.updatedAt,
  };
}

/** The account's open positions, of one market or of all. */
function openPositionsOf(account: Account, market: Market | undefined): Position[] {
  return account.positions.filter(
    (position): position is Position =>
      position !== undefined &&
      position.lots !== 0 &&
      (market === undefined || position.market === market.id),
  );
}

function positionRisk(version: 1 | 2 | 3) {
  return defineQuery({
    name: `getPositionRiskV${version}`,
    surface: 'fapi',
    method: 'GET',
    path: `/fapi/v${version}/positionRisk`,
    auth: 'key',
    weight: 5,
    summary: 'Open positions, of one symbol or of all.',
    parameters: optionalSymbol,
    response: Type.Array(row),
    query: (context, { symbol }) => {
      const { exchange } = context.deployment;
      const positions = openPositionsOf(callerOf(context), symbol);
      const marketOf = (position: Position): Market =>
        must(exchange.markets[position.market], 'every position is on a market');
      return answerJson(
        positions.map((position) => riskRecord(exchange, marketOf(position), position)),
      );
    },
  });
}

export const positionRiskRows = {
  getPositionRiskV1: positionRisk(1),
  getPositionRiskV2: positionRisk(2),
  getPositionRiskV3: positionRisk(3),
} as const;
