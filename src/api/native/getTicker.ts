// GET /api/v1/ticker/{symbol} (NAT-2): exactly what the ticker channel sends (spec, Events).

import { Type } from 'typebox';
import { decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { tickerDecimals } from '../marketDataPort.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';

export const getTicker = defineQuery({
  name: 'getTicker',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/ticker/:symbol',
  auth: 'none',
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
