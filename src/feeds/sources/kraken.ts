// Kraken, GET /0/public/Ticker: best bid and ask of several pairs at once. One such request a
// second is as much as Kraken allows.

import { jsonMember } from './jsonMember.ts';
import {
  malformedAnswer,
  type RestExchange,
  type Ticker,
  unavailable,
  unknownName,
} from './restExchange.ts';

const tickerUrl = 'https://api.kraken.com/0/public/Ticker';
/** The oldest pairs have the name XBTUSD in the request and XXBTZUSD in the answer. */
const longName = /^X([A-Z]{3})Z([A-Z]{3})$/;

/** An unknown name makes it refuse the whole request, with status 200 and an error in the body. */
export const kraken: RestExchange = {
  source: 'kraken',
  namePattern: /^[A-Z0-9]{4,32}$/,
  nameExample: 'XBTUSDT',
  namesPerRequest: 32,
  orderIsClock: false,
  url: (names) => `${tickerUrl}?pair=${names.join(',')}`,
  read: (answer, names) => {
    const errors = jsonMember(answer, 'error');
    if (!Array.isArray(errors)) return malformedAnswer;
    if (errors.some((error) => /^EQuery:Unknown asset/.test(String(error)))) return unknownName;
    if (errors.length > 0) return unavailable;
    const result = jsonMember(answer, 'result');
    if (typeof result !== 'object' || result === null) return malformedAnswer;
    const tickers: Ticker[] = [];
    for (const [key, item] of Object.entries(result)) {
      const name = names.includes(key) ? key : key.replace(longName, '$1$2');
      const bid = jsonMember(jsonMember(item, 'b'), 0);
      const ask = jsonMember(jsonMember(item, 'a'), 0);
      tickers.push({ name, bid, ask });
    }
    return { kind: 'tickers', tickers };
  },
};
