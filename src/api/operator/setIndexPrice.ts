// POST /operator/markets/{symbol}/index-price (PRC-2, feed `manual`): sets or withdraws a price.
// The feed states it. An index tick without prices follows, and the answer waits until the engine
// has applied that tick.

import { Type } from 'typebox';
import { ticksMax } from '../../engine/limits.ts';
import { liquidatedByPrice, liquidatedWithoutPrice } from '../../engine/views/liquidatedBy.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatQuotient, formatTrimmed, parseScaled } from '../../units/decimal.ts';
import type { Ticks } from '../../units/units.ts';
import type { Deployment } from '../deployment.ts';
import { jsonNull } from '../fields.ts';
import { priceText } from '../grid.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { decimalParameter, marketParameter, optional } from '../parameterSchema.ts';
import { hasExponent } from '../readExactMoney.ts';
import type { Refusal } from '../refusal.ts';
import { confirmationRequired, liquidationSentence } from './confirmation.ts';
import { type MarketRecord, marketRecord, marketRecordSchema } from './marketRecord.ts';

const source = 'manual';
/**
 * The operator must confirm a price that is further than this from the present one, in percent
 * (OPS-4).
 */
const farPercent = 5;
/**
 * When the index moves by less than this while the operator reads it, the confirmation still
 * passes.
 */
const seenPercent = 1;

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
    expected_index: optional(
      decimalParameter({
        description:
          `The present price, to ${seenPercent} %: confirms one that is further than ` +
          `${farPercent} % from it, or that would liquidate an account at once (OPS-4).`,
      }),
    ),
  }),
  failures: ['parameterMissing', 'priceInvalid', 'conflict', 'confirmationRequired'],
  response: marketRecordSchema,
  procedure: async (
    { deployment, fields },
    { symbol: market, price, expected_index: expected },
  ) => {
    if (price === undefined && fields.get('price') !== jsonNull) {
      return { reason: 'parameterMissing', name: 'price' };
    }
    const ticks = price === undefined ? undefined : readTicks(market, price, 'price');
    if (typeof ticks === 'object') return ticks;
    const seen = expected === undefined ? undefined : readTicks(market, expected, 'expected_index');
    if (typeof seen === 'object') return seen;
    if (!market.terms.indexSources.some((configured) => configured.source === source)) {
      const detail =
        `The index of ${market.symbol} has no source named ${source}; ` +
        'add it to index_sources to set prices by hand.';
      return { reason: 'conflict', detail };
    }
    if (!deployment.holds()) return { reason: 'waiting' };
    // Between the check and the price nothing else runs on this thread.
    const danger = priceDangers(deployment, market, ticks, seen);
    if (danger !== undefined) return danger;
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

function readTicks(market: Market, text: string, name: string): Ticks | Refusal {
  const { decimals, step } = market.tick;
  const scaled = parseScaled(text, decimals, step);
  if (scaled.kind === 'malformed' || hasExponent(text)) return { reason: 'parameterIllegal', name };
  const bounded = scaled.kind !== 'outOfRange' && scaled.value >= 1 && scaled.value < ticksMax;
  return bounded ? (scaled.value as Ticks) : { reason: 'priceInvalid', name };
}

/** The operator's present price, else the index; 0 before the first price. */
function presentTicks({ manualPrices }: Deployment, market: Market): Ticks {
  const standing = manualPrices.standing(market.symbol);
  const ticks = standing === undefined ? market.prices.index : readTicks(market, standing, 'price');
  return typeof ticks === 'number' ? ticks : market.prices.index;
}

/** Why the price needs confirmation; undefined when it needs none or is confirmed. */
function priceDangers(
  deployment: Deployment,
  market: Market,
  ticks: Ticks | undefined,
  seen: Ticks | undefined,
): Refusal | undefined {
  const present = presentTicks(deployment, market);
  const isSeen = seen !== undefined && Math.abs(seen - present) * 100 <= present * seenPercent;
  if (present === 0 || isSeen) return undefined;
  const { symbol } = market;
  const now = formatTrimmed(present * market.tick.step, market.tick.decimals);
  const why: string[] = [];
  if (seen !== undefined) {
    why.push(`The index of ${symbol} is ${now}, not ${priceText(seen, market)}.`);
  } else if (ticks !== undefined && Math.abs(ticks - present) * 100 > present * farPercent) {
    const away = formatQuotient(BigInt(Math.abs(ticks - present)) * 100n, BigInt(present), 1);
    const side = ticks < present ? 'below' : 'above';
    why.push(
      `The price ${priceText(ticks, market)} is ${away} % ${side} the present index of ` +
        `${symbol}, ${now}.`,
    );
  }
  const { exchange } = deployment;
  const liquidated =
    ticks === undefined
      ? liquidatedWithoutPrice(exchange, market)
      : liquidatedByPrice(exchange, market, ticks);
  const ruin = liquidationSentence(liquidated);
  if (ruin !== undefined) why.push(ruin);
  return why.length === 0 ? undefined : confirmationRequired(why, [`expected_index=${now}`]);
}
