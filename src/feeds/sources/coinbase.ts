// Coinbase Exchange, GET /products/{id}/ticker: one pair a request (10 requests a second are
// allowed), which the answer does not name. The stream stands in coinbaseStream.ts.

import { jsonMember } from './jsonMember.ts';
import { malformedAnswer, type RestExchange } from './restExchange.ts';

const productsUrl = 'https://api.exchange.coinbase.com/products';

/** An unknown name is answered with status 404. */
export const coinbase: RestExchange = {
  source: 'coinbase',
  namePattern: /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/,
  nameExample: 'BTC-USDT',
  namesPerRequest: 1,
  // `time` is that of the last trade.
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
