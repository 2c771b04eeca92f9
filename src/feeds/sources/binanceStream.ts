// Binance spot by stream: the best five bids and asks of each pair, ten times a second while they
// change. To know that the stream works in a calm market, the feed asks every second for the list
// of its streams (5 messages a second are allowed).

import { jsonMember, wholeNumber } from './jsonMember.ts';
import { malformedNews, noNews, type StreamExchange } from './streamExchange.ts';

const streamUrl = 'wss://stream.binance.com:9443/stream';
const streamPattern = /^([a-z0-9]{4,32})@depth5@100ms$/;
const streamOf = (name: string): string => `${name.toLowerCase()}@depth5@100ms`;

/** An unknown name is not an error: it streams nothing. */
export const binanceStream: StreamExchange = {
  source: 'binance',
  namePattern: /^[A-Z0-9]{4,32}$/,
  nameExample: 'BTCUSDT',
  url: (names) => `${streamUrl}?streams=${names.map(streamOf).join('/')}`,
  greeting: () => [],
  heartbeat: (beat) => JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: beat }),
  read: (message) => {
    const listed = jsonMember(message, 'result');
    if (Array.isArray(listed)) return { kind: 'alive', names: listed.flatMap(nameOf) };
    const code = jsonMember(message, 'code') ?? jsonMember(jsonMember(message, 'error'), 'code');
    if (code !== undefined) return { kind: 'refused' };
    const [name] = nameOf(jsonMember(message, 'stream'));
    if (name === undefined) return noNews;
    const data = jsonMember(message, 'data');
    const order = wholeNumber(jsonMember(data, 'lastUpdateId'));
    if (order === undefined) return malformedNews;
    const bid = jsonMember(jsonMember(jsonMember(data, 'bids'), 0), 0);
    const ask = jsonMember(jsonMember(jsonMember(data, 'asks'), 0), 0);
    return { kind: 'ticker', ticker: { name, bid, ask, order } };
  },
};

function nameOf(stream: unknown): string[] {
  const match = typeof stream === 'string' ? streamPattern.exec(stream) : null;
  return match === null ? [] : [match[1]!.toUpperCase()];
}
