// Coinbase Exchange, GET /products/{id}/ticker: one pair for each request (10 requests a second are
// allowed). The answer does not name the pair. coinbaseStream.ts has the stream.

import { jsonMember } from './jsonMember.ts';
import { malformedAnswer, type RestExchange } from './restExchange.ts';

const productsUrl = 'https://api.exchange.coinbase.com/products';

/** The answer to an unknown name has status 404. */
export const coinbase: RestExchange = {
  source: 'coinbase',
  namePattern: /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/,
  nameExample: 'BTC-USDT',
  namesPerRequest: 1,
  // `time` is the time of the last trade.
  orderIsClock: false,
  url: ([name]) => `${productsUrl}/${name}/ticker`,
  read: (answer, [name]) => {
    const time = jsonMember(answer, 'time');
    const order = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    if (!Number.isSafeInteger(order)) return malformedAnswer;
    const [bid, ask] = [jsonMember(answer, 'bid'), jsonMember(answer, 'ask')];
    return { kind: 'tickers', tickers: [{ name: name!, bid, ask, order }] };
  },
};
