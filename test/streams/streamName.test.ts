// The names of market streams, as clients write them.

import { expect, test } from 'vitest';
import { parseStreamName } from '../../src/streams/fapi/streamName.ts';
import { useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const named = (text: string) => parseStreamName(text, world.replica.exchange);

test('the case of a name does not matter, but for the interval', () => {
  const names = [
    ['BTCUSDT@BOOKTICKER', 'btcusdt@bookTicker', { kind: 'bookTicker' }],
    ['btc-usdt@forceorder', 'btcusdt@forceOrder', { kind: 'forceOrder' }],
    ['BtcUsd@MiniTicker', 'btcusdt@miniTicker', { kind: 'miniTicker' }],
    ['btcusdt@AGGTRADE', 'btcusdt@aggTrade', { kind: 'aggTrade' }],
    ['btcusdt@MARKPRICE@1S', 'btcusdt@markPrice@1s', { kind: 'markPrice', everyMs: 1000 }],
    ['btcusdt@markprice', 'btcusdt@markPrice', { kind: 'markPrice', everyMs: 3000 }],
    ['btcusdt@KLINE_1m', 'btcusdt@kline_1m', { kind: 'kline', interval: '1m' }],
    ['btcusdt@kline_1M', 'btcusdt@kline_1M', { kind: 'kline', interval: '1M' }],
    ['btcusdt@Depth', 'btcusdt@depth', { kind: 'depth', everyMs: 250 }],
    ['btcusdt@depth@100MS', 'btcusdt@depth@100ms', { kind: 'depth', everyMs: 100 }],
    [
      ...(['btcusdt@DEPTH20@500ms', 'btcusdt@depth20@500ms'] as const),
      { kind: 'partialDepth', levels: 20, everyMs: 500 },
    ],
    [
      ...([
        'BTCUSDT_Perpetual@ContinuousKline_1M',
        'btcusdt_perpetual@continuousKline_1M',
      ] as const),
      { kind: 'continuousKline', interval: '1M' },
    ],
    ['!BOOKTICKER', '!bookTicker', { kind: 'bookTicker', market: undefined }],
    ['!markPrice@arr@1S', '!markPrice@arr@1s', { kind: 'markPrice', everyMs: 1000 }],
  ] as const;
  for (const [text, name, stream] of names) {
    expect(named(text), text).toMatchObject({ name, ...stream });
    if (!text.startsWith('!')) {
      expect(named(text), text).toMatchObject({ market: { symbol: 'BTCUSDT' } });
    }
  }
});

test('what is no stream of this deployment has no meaning', () => {
  const names = [
    ...['', '@', '@trade', 'btcusdt', 'btcusdt@', 'btcusdt@trades', 'dogeusdt@trade', '!trade'],
    ...['btcusdt@kline_1H', 'btcusdt@kline_', 'btcusdt@kline_7m', 'btcusdt@KLINE_1D'],
    ...['btcusdt@depth15', 'btcusdt@depth@1000ms', 'btcusdt@depth5@', 'btcusdt@depth@250ms@100ms'],
    ...['btcusdt_perpetual@kline_1m', 'btcusdt_perpetual@continuousKline_9m', '_perpetual@trade'],
    ...['btcusdt@constructor', 'btcusdt@__proto__', `btcusdt@trade${' '.repeat(64)}`],
  ];
  for (const text of names) expect(named(text), text).toBeUndefined();
});
