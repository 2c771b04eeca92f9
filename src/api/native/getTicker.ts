// GET /api/v1/ticker/{symbol} (NAT-2): exactly the message of the ticker channel (spec, Events).

import { Type } from 'typebox';
import type { Ticker } from '../../market-data/tickerOf.ts';
import { decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

const tickerDecimals = [
  'last_price',
  'mark_price',
  'index_price',
  'price_change_24h',
  'price_change_percent_24h',
  'high_24h',
  'low_24h',
  'volume_24h',
  'volume_24h_usd',
  'open_interest_long',
  'open_interest_short',
  'open_interest_long_percent',
  'open_interest_short_percent',
  'available_liquidity_long',
  'available_liquidity_short',
  'funding_rate_long_1h',
  'funding_rate_short_1h',
] as const satisfies readonly (keyof Ticker)[];

export const getTicker = defineQuery({
  ...routes.getTicker,
  name: 'getTicker',
  surface: 'native',
  weight: 1,
  summary: 'Prices, the last 24 hours, open interest and funding of a market.',
  parameters: Type.Object({ symbol: marketParameter() }),
  failures: ['noData'],
  response: exactObject({
    type: Type.Literal('ticker'),
    symbol: symbolText(),
    ...(Object.fromEntries(tickerDecimals.map((name) => [name, decimalText()])) as Record<
      (typeof tickerDecimals)[number],
      ReturnType<typeof decimalText>
    >),
  }),
  query: ({ deployment }, { symbol }) => {
    const ticker = deployment.marketData.ticker(symbol);
    return ticker === undefined ? { reason: 'noData' } : answerJson(ticker);
  },
});
