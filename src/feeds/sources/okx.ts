// OKX spot, GET /api/v5/market/ticker: one pair for each request (20 requests in two seconds are
// allowed).

import { jsonMember, wholeNumber } from './jsonMember.ts';
import { malformedAnswer, type RestExchange, unavailable, unknownName } from './restExchange.ts';

const tickerUrl = 'https://www.okx.com/api/v5/market/ticker';
/** "Instrument ID does not exist", with status 200. */
const unknownInstrument = '51001';

export const okx: RestExchange = {
  source: 'okx',
  namePattern: /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/,
  nameExample: 'BTC-USDT',
  namesPerRequest: 1,
  // `ts` is the time when the ticker was made. In a calm market that may be a while ago.
  orderIsClock: false,
  url: ([name]) => `${tickerUrl}?instId=${name}`,
  read: (answer) => {
    const code = jsonMember(answer, 'code');
    if (code === unknownInstrument) return unknownName;
    if (typeof code === 'string' && code !== '0') return unavailable;
    const ticker = jsonMember(jsonMember(answer, 'data'), 0);
    const name = jsonMember(ticker, 'instId');
    const order = wholeNumber(jsonMember(ticker, 'ts'));
    if (code !== '0' || typeof name !== 'string' || order === undefined) return malformedAnswer;
    const [bid, ask] = [jsonMember(ticker, 'bidPx'), jsonMember(ticker, 'askPx')];
    return { kind: 'tickers', tickers: [{ name, bid, ask, order }] };
  },
};
