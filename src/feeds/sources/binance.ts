// Binance spot, GET /api/v3/ticker/bookTicker: best bid and ask of several pairs at once (weight 4
// of 6,000 a minute). binanceStream.ts has the stream.

import { jsonMember } from './jsonMember.ts';
import { malformedAnswer, type RestExchange, type Ticker } from './restExchange.ts';

const tickerUrl = 'https://api.binance.com/api/v3/ticker/bookTicker';

/** An unknown name makes it refuse the whole request, with status 400. */
export const binance: RestExchange = {
  source: 'binance',
  namePattern: /^[A-Z0-9]{4,32}$/,
  nameExample: 'BTCUSDT',
  namesPerRequest: 32,
  orderIsClock: false,
  url: (names) => `${tickerUrl}?symbols=${encodeURIComponent(JSON.stringify(names))}`,
  read: (answer) => {
    if (!Array.isArray(answer)) return malformedAnswer;
    const tickers: Ticker[] = [];
    for (const item of answer) {
      const name = jsonMember(item, 'symbol');
      if (typeof name !== 'string') return malformedAnswer;
      const [bid, ask] = [jsonMember(item, 'bidPrice'), jsonMember(item, 'askPrice')];
      tickers.push({ name, bid, ask });
    }
    return { kind: 'tickers', tickers };
  },
};
