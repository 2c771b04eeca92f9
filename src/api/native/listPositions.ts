// GET /api/v1/positions (NAT-1): FAPI's position rows in snake_case, with the figures of margin
// mode, liquidation and deleveraging (MAR-7, LIQ-7).

import { type Static, Type } from 'typebox';
import { isFlagged } from '../../engine/views/account.ts';
import type { Position } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { type PositionStanding, standingsOf } from '../../engine/views/positionStanding.ts';
import type { MarketId } from '../../units/units.ts';
import { decimalText, exactObject, orNull } from '../answerSchema.ts';
import type { Context } from '../deployment.ts';
import { enumerations } from '../enumerations.ts';
import {
  openPositionsOf,
  positionRiskRecord,
  positionRiskSchema,
} from '../fapi/positionRiskRows.ts';
import { moneyText, rateText } from '../grid.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { nativeRecord, snakeSchemaWith } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';

const moreSchema = exactObject({
  margin_mode: enumerations.marginMode,
  collateral: decimalText(),
  uncovered: decimalText('Margin that unrealised profit stands in for (unified).'),
  maintenance_margin_rate: decimalText(
    'Of this position: by the brackets in which its quantity opened (MAR-10).',
  ),
  margin_ratio: decimalText(
    'Maintenance margin / equity of the account, or of an isolated position; at most 100.',
  ),
  flagged: Type.Boolean({ description: 'Being liquidated: nothing may be opened.' }),
  adl_quantile: orNull(
    Type.Integer({ minimum: 0, maximum: 4 }),
    'The fifth of its side that it stands in, 4 is deleveraged first; null: not known.',
  ),
});

export const listPositions = defineProcedure({
  ...routes.listPositions,
  name: 'listPositions',
  surface: 'native',
  weight: 1,
  summary: 'Open positions, of one symbol or of all.',
  parameters: Type.Object({ symbol: optional(symbolParameter()) }),
  response: Type.Array(snakeSchemaWith(positionRiskSchema, moreSchema)),
  procedure: async (context, { symbol }) => {
    const quantiles = await quantilesOf(context);
    const more = detailsOf(context, quantiles);
    const { deployment } = context;
    const account = callerOf(context);
    const standingOf = standingsOf(deployment.exchange, account);
    return answerJson(
      openPositionsOf(account, symbol).map((position) => {
        const standing = standingOf(position);
        return {
          ...nativeRecord(positionRiskRecord(deployment, position, standing)),
          ...more(position, standing),
        };
      }),
    );
  },
});

type Quantiles = ReadonlyMap<MarketId, number>;

/** undefined when too many requests wait; the answer then shows the positions without it. */
async function quantilesOf(context: Context): Promise<Quantiles | undefined> {
  const found = await context.deployment.archivist.adlQuantiles(callerOf(context).id);
  if ('reason' in found) return undefined;
  return new Map(found.map(({ market, quantile }) => [market, quantile]));
}

type Details = Static<typeof moreSchema>;

/** The further members of each position's record. */
function detailsOf(
  context: Context,
  quantiles: Quantiles | undefined,
): (position: Position, standing: PositionStanding) => Details {
  const account = callerOf(context);
  const { exchange } = context.deployment;
  return (position, { marginRatio }) => ({
    margin_mode: account.marginMode,
    collateral: moneyText(position.collateral),
    uncovered: moneyText(position.uncovered),
    maintenance_margin_rate: rateText(positionFigures(exchange, position).maintenanceRate),
    margin_ratio: rateText(marginRatio),
    flagged: isFlagged(account, position),
    adl_quantile: quantiles === undefined ? null : (quantiles.get(position.market) ?? 0),
  });
}
