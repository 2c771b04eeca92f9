// GET /fapi/v1/fundingFeeHistory (spec): what positions paid or received at each boundary (FUND-3).

import { type Static, Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import type { FundingPaymentRow } from '../../history/rows.ts';
import type { Lots } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  assetText,
  decimalText,
  exactObject,
  idText,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import { moneyText, quantityText, rateText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { collateralAsset } from './collateralAsset.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 100, most: 1000 };

export const fundingFeeSchema = exactObject({
  symbol: symbolText(),
  fundingRate: decimalText(),
  positionSize: decimalText('Without a sign; positionSide has it.'),
  fundingFee: decimalText('Negative when paid.'),
  positionSide: wordsText(['LONG', 'SHORT']),
  asset: assetText(),
  time: timeNumber(),
  tranId: idText(),
});

export const getFundingFeeHistory = defineProcedure({
  name: 'getFundingFeeHistory',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/fundingFeeHistory',
  auth: 'key',
  weight: 5,
  summary: 'Funding paid and received, ascending; the latest unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(fundingFeeSchema),
  procedure: async (context, sent) => {
    const { deployment } = context;
    const asked = { ...windowOf(sent, bounds), account: callerOf(context).id };
    const rows = await deployment.history.fundingPayments(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => fundingFee(row, marketOf(deployment, row))));
  },
});

export function fundingFee(
  row: FundingPaymentRow,
  market: Market,
): Static<typeof fundingFeeSchema> {
  const { lots } = row;
  return {
    symbol: market.symbol,
    fundingRate: rateText(row.rate),
    positionSize: quantityText(Math.abs(lots) as Lots, market),
    fundingFee: moneyText(row.amount),
    positionSide: lots > 0 ? 'LONG' : 'SHORT',
    asset: collateralAsset,
    time: row.time,
    tranId: formatUuid(row.time, row.id),
  };
}
