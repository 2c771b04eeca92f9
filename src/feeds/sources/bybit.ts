// Bybit spot, GET /v5/market/tickers: one pair for each request (600 requests in five seconds are
// allowed). The answer contains the exchange's clock.

import { jsonMember, wholeNumber } from './jsonMember.ts';
import { malformedAnswer, type RestExchange, unavailable, unknownName } from './restExchange.ts';

const tickerUrl = 'https://api.bybit.com/v5/market/tickers';
/** "Not supported symbols", with status 200. */
const unknownSymbol = 10001;

export const bybit: RestExchange = {
  source: 'bybit',
  namePattern: /^[A-Z0-9]{4,32}$/,
  nameExample: 'BTCUSDT',
  namesPerRequest: 1,
  orderIsClock: true,
  url: ([name]) => `${tickerUrl}?category=spot&symbol=${name}`,
  read: (answer) => {
    const code = jsonMember(answer, 'retCode');
    if (code === unknownSymbol) return unknownName;
    if (typeof code === 'number' && code !== 0) return unavailable;
    const result = jsonMember(answer, 'result');
    const ticker = jsonMember(jsonMember(result, 'list'), 0);
    const name = jsonMember(ticker, 'symbol');
    const order = wholeNumber(jsonMember(answer, 'time'));
    const spot = jsonMember(result, 'category') === 'spot';
    if (code !== 0 || !spot || typeof name !== 'string' || order === undefined) {
      return malformedAnswer;
    }
    const [bid, ask] = [jsonMember(ticker, 'bid1Price'), jsonMember(ticker, 'ask1Price')];
    return { kind: 'tickers', tickers: [{ name, bid, ask, order }] };
  },
};
