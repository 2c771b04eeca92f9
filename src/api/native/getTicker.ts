// GET /api/v1/ticker/{symbol} (NAT-2): exactly what the ticker channel sends (spec, Events).

import { Type } from 'typebox';
import { tickerDecimals } from '../marketDataPort.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';

const text = Type.String();

export const getTicker = defineQuery({
  name: 'getTicker',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/ticker/:symbol',
  auth: 'none',
  weight: 1,
  summary: 'Prices, the last 24 hours, open interest and funding of a market.',
  parameters: Type.Object({ symbol: marketParameter() }),
  response: Type.Object({
    type: Type.Literal('ticker'),
    symbol: text,
    ...(Object.fromEntries(tickerDecimals.map((name) => [name, text])) as Record<
      (typeof tickerDecimals)[number],
      typeof text
    >),
  }),
  query: ({ deployment }, { symbol }) => {
    const ticker = deployment.marketData.ticker(symbol);
    return ticker === undefined ? { reason: 'noData' } : answerJson(ticker);
  },
});
