// POST /operator/markets/{symbol}/index-price (PRC-2, feed `manual`): sets or withdraws a price.
// The feed states it; an index tick without prices behind it waits until the engine has seen it.

import { Type } from 'typebox';
import { ticksMax } from '../../engine/limits.ts';
import { parseScaled } from '../../units/decimal.ts';
import { jsonNull } from '../fields.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { decimalParameter, marketParameter, optional } from '../parameterSchema.ts';
import { type MarketRecord, marketRecord, marketRecordSchema } from './marketRecord.ts';

const source = 'manual';

export const setIndexPrice = defineProcedure({
  name: 'setIndexPrice',
  surface: 'operator',
  method: 'POST',
  path: '/operator/markets/:symbol/index-price',
  auth: 'operator',
  weight: 1,
  summary: 'Sets the index price of a market with the source manual; null withdraws it.',
  parameters: Type.Object({
    symbol: marketParameter(),
    price: optional(decimalParameter({ description: 'Above 0; null withdraws. Never absent.' })),
  }),
  failures: ['parameterMissing', 'priceInvalid', 'conflict'],
  response: marketRecordSchema,
  procedure: async ({ deployment, fields }, { symbol: market, price }) => {
    if (price === undefined && fields.get('price') !== jsonNull) {
      return { reason: 'parameterMissing', name: 'price' };
    }
    if (price !== undefined) {
      const { decimals, step } = market.tick;
      const scaled = parseScaled(price, decimals, step);
      if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name: 'price' };
      const bounded = scaled.kind !== 'outOfRange' && scaled.value >= 1 && scaled.value < ticksMax;
      if (!bounded) return { reason: 'priceInvalid', name: 'price' };
    }
    if (!market.terms.indexSources.some((configured) => configured.source === source)) {
      const detail = `The index of ${market.symbol} has no source named ${source}.`;
      return { reason: 'conflict', detail };
    }
    if (!deployment.manualPrices.set(market.symbol, price ?? null)) {
      return { reason: 'capacityReached', limit: 'manualPrices' };
    }
    const barrier = { kind: 'indexTick', prices: [] } as const;
    const record = await deployment.perform<MarketRecord>(barrier, 'reserve', () =>
      marketRecord(market, deployment.exchange.time),
    );
    return 'reason' in record ? record : answerJson(record);
  },
});
