// Coinbase Exchange by stream: the channel `ticker`, with the best bid and ask at every trade, and
// the channel `heartbeat`, once a second for each pair. A heartbeat keeps the last price valid in a
// calm market.

import { jsonMember, wholeNumber } from './jsonMember.ts';
import { malformedNews, noNews, type StreamExchange } from './streamExchange.ts';

const feedUrl = 'wss://ws-feed.exchange.coinbase.com';

/**
 * Each pair has its own subscription. An unknown pair is refused with an error, and the others
 * stay.
 */
export const coinbaseStream: StreamExchange = {
  source: 'coinbase',
  namePattern: /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/,
  nameExample: 'BTC-USDT',
  url: () => feedUrl,
  greeting: (names) =>
    names.map((name) => {
      const channels = ['ticker', 'heartbeat'];
      return JSON.stringify({ type: 'subscribe', product_ids: [name], channels });
    }),
  read: (message) => {
    const type = jsonMember(message, 'type');
    if (type === 'error') return { kind: 'refused' };
    if (type !== 'ticker' && type !== 'heartbeat') return noNews;
    const name = jsonMember(message, 'product_id');
    const order = wholeNumber(jsonMember(message, 'sequence'));
    if (typeof name !== 'string' || order === undefined) return malformedNews;
    if (type === 'heartbeat') return { kind: 'alive', names: [name] };
    const [bid, ask] = [jsonMember(message, 'best_bid'), jsonMember(message, 'best_ask')];
    return { kind: 'ticker', ticker: { name, bid, ask, order } };
  },
};
