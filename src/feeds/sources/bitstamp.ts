// Bitstamp, GET /api/v2/ticker/{pair}/: one pair for each request (400 requests a second are
// allowed). Some answers name the pair as BTC/USD, and some do not name it.

import { jsonMember, wholeNumber } from './jsonMember.ts';
import { malformedAnswer, type RestExchange } from './restExchange.ts';

const tickerUrl = 'https://www.bitstamp.net/api/v2/ticker';

/** The answer to an unknown name has status 404. */
export const bitstamp: RestExchange = {
  source: 'bitstamp',
  namePattern: /^[a-z0-9]{4,32}$/,
  nameExample: 'btcusdt',
  namesPerRequest: 1,
  orderIsClock: false,
  url: ([name]) => `${tickerUrl}/${name}/`,
  read: (answer, [asked]) => {
    const order = wholeNumber(jsonMember(answer, 'timestamp'));
    if (order === undefined) return malformedAnswer;
    const pair = jsonMember(answer, 'pair');
    const name = typeof pair === 'string' ? pair.replace('/', '').toLowerCase() : asked!;
    const [bid, ask] = [jsonMember(answer, 'bid'), jsonMember(answer, 'ask')];
    return { kind: 'tickers', tickers: [{ name, bid, ask, order }] };
  },
};
