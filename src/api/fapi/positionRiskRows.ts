// GET /fapi/v1, v2 and v3 positionRisk: one row for each open position (spec). All three give the
// same record with the members that v3 adds. Only v3 shows the rank for deleveraging.

import { type Static, Type } from 'typebox';
import type { Account } from '../../engine/views/account.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Position, positionsOf } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { type PositionStanding, standingsOf } from '../../engine/views/positionStanding.ts';
import {
  assetText,
  decimalText,
  exactObject,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import type { Context, Deployment } from '../deployment.ts';
import { moneyText, priceText, quantityText, rateText } from '../grid.ts';
import { answerJson, callerOf, defineProcedure, defineQuery } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { collateralAsset } from './collateralAsset.ts';
import { optionalSymbol } from './oneOrAll.ts';
import {
  initialMarginSchema,
  initialMarginText,
  leverageSchema,
  lockedSchemas,
  positionMarginSchemas,
} from './positionMargins.ts';

export const positionRiskSchema = exactObject({
  symbol: symbolText(),
  positionAmt: decimalText(),
  entryPrice: decimalText(),
  breakEvenPrice: decimalText(),
  markPrice: decimalText(),
  unRealizedProfit: decimalText(),
  liquidationPrice: decimalText(),
  leverage: leverageSchema,
  marginType: Type.Literal('cross'),
  ...lockedSchemas,
  positionSide: wordsText(['LONG', 'SHORT']),
  notional: decimalText(),
  marginAsset: assetText(),
  initialMargin: initialMarginSchema,
  maintMargin: decimalText(),
  ...positionMarginSchemas,
  bidNotional: decimalText(),
  askNotional: decimalText(),
  updateTime: timeNumber(),
});

/** The record of an open position, which stands there. */
export function positionRiskRecord(
  deployment: Deployment,
  position: Position,
  { liquidationTicks }: PositionStanding,
): Static<typeof positionRiskSchema> {
  const market = marketOf(deployment, position);
  const figures = positionFigures(deployment.exchange, position);
  const entryPrice = entryPriceText(market, position);
  const collateral = moneyText(figures.collateral);
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
    initialMargin: initialMarginText(figures),
    maintMargin: moneyText(figures.maintenance),
    positionInitialMargin: moneyText(figures.positionMargin),
    openOrderInitialMargin: moneyText(figures.orderMargin),
    bidNotional: moneyText(figures.bidNotional),
    askNotional: moneyText(figures.askNotional),
    updateTime: position.updatedAt,
  };
}

/** The account's open positions, of one market or of all. */
export function openPositionsOf(account: Account, market: Market | undefined): Position[] {
  return positionsOf(account).filter(
    (position): position is Position =>
      position !== undefined &&
      position.lots !== 0 &&
      (market === undefined || position.market === market.id),
  );
}

/** What the native rows have under other names. */
const ratioSchemas = {
  maintMarginRatio: decimalText(
    'The maintenance rate of this position, by the brackets in which it opened (MAR-10).',
  ),
  marginRatio: decimalText('Maintenance margin / equity of the account; at most 100.'),
};

const riskSchema = exactObject({ ...positionRiskSchema.properties, ...ratioSchemas });

function riskRecords(context: Context, symbol: Market | undefined): Static<typeof riskSchema>[] {
  const { deployment } = context;
  const { exchange } = deployment;
  const account = callerOf(context);
  const standingOf = standingsOf(exchange, account);
  return openPositionsOf(account, symbol).map((position) => {
    const standing = standingOf(position);
    return {
      ...positionRiskRecord(deployment, position, standing),
      maintMarginRatio: rateText(positionFigures(exchange, position).maintenanceRate),
      marginRatio: rateText(standing.marginRatio),
    };
  });
}

const common = {
  surface: 'fapi',
  method: 'GET',
  auth: 'key',
  weight: 5,
  summary: 'Open positions, of one symbol or of all.',
  parameters: optionalSymbol,
} as const;

function positionRisk(version: 1 | 2) {
  return defineQuery({
    ...common,
    name: `getPositionRiskV${version}`,
    path: `/fapi/v${version}/positionRisk`,
    response: Type.Array(riskSchema),
    query: (context, { symbol }) => answerJson(riskRecords(context, symbol)),
  });
}

/**
 * With `adl`, the rank from the archivist. A position that it has not seen yet is the last of its
 * side.
 */
const positionRiskWithAdl = defineProcedure({
  ...common,
  name: 'getPositionRiskV3',
  path: '/fapi/v3/positionRisk',
  response: Type.Array(exactObject({ ...riskSchema.properties, adl: Type.Integer() })),
  procedure: async (context, { symbol }) => {
    const { deployment } = context;
    const quantiles = await deployment.archivist.adlQuantiles(callerOf(context).id);
    if ('reason' in quantiles) return quantiles;
    const adlOf = new Map(
      quantiles.map((each) => [marketOf(deployment, each).symbol, each.quantile]),
    );
    const records = riskRecords(context, symbol);
    return answerJson(records.map((each) => ({ ...each, adl: adlOf.get(each.symbol) ?? 0 })));
  },
});

export const positionRiskRows = {
  getPositionRiskV1: positionRisk(1),
  getPositionRiskV2: positionRisk(2),
  getPositionRiskV3: positionRiskWithAdl,
} as const;
