// Each exchange's tickers: where they are asked for, and how the recorded answers are read. The
// constants of the adapters are the only addresses there are.

import { describe, expect, test } from 'vitest';
import { restExchanges } from '../../../src/feeds/sources/exchanges.ts';
import { readFixture } from './readFixture.ts';

function exchangeOf(source: string) {
  const exchange = restExchanges.find((candidate) => candidate.source === source);
  if (exchange === undefined) throw new Error(`there is no ${source}`);
  return exchange;
}

type Recorded = {
  readonly source: string;
  readonly names: readonly string[];
  readonly url: string;
  readonly tickers: readonly object[];
};

const recorded: readonly Recorded[] = [
  {
    source: 'binance',
    names: ['BTCUSDT', 'ETHUSDT'],
    url: 'https://api.binance.com/api/v3/ticker/bookTicker?symbols=%5B%22BTCUSDT%22%2C%22ETHUSDT%22%5D',
    tickers: [
      { name: 'BTCUSDT', bid: '115020.01000000', ask: '115020.02000000' },
      { name: 'ETHUSDT', bid: '4210.50000000', ask: '4210.51000000' },
    ],
  },
  {
    source: 'bitstamp',
    names: ['btcusd'],
    url: 'https://www.bitstamp.net/api/v2/ticker/btcusd/',
    tickers: [{ name: 'btcusd', bid: '115016', ask: '115024', order: 1_760_000_000 }],
  },
  {
    source: 'bybit',
    names: ['BTCUSDT'],
    url: 'https://api.bybit.com/v5/market/tickers?category=spot&symbol=BTCUSDT',
    tickers: [{ name: 'BTCUSDT', bid: '115019.9', ask: '115020', order: 1_760_000_000_123 }],
  },
  {
    source: 'coinbase',
    names: ['BTC-USDT'],
    url: 'https://api.exchange.coinbase.com/products/BTC-USDT/ticker',
    tickers: [
      { name: 'BTC-USDT', bid: '115019.5', ask: '115021.75', order: 1_760_000_000_000 - 88 },
    ],
  },
  {
    source: 'kraken',
    names: ['XBTUSD', 'ETHUSDT'],
    url: 'https://api.kraken.com/0/public/Ticker?pair=XBTUSD,ETHUSDT',
    tickers: [
      { name: 'XBTUSD', bid: '115010.00000', ask: '115010.10000' },
      { name: 'ETHUSDT', bid: '4210.40000', ask: '4210.60000' },
    ],
  },
  {
    source: 'okx',
    names: ['BTC-USDT'],
    url: 'https://www.okx.com/api/v5/market/ticker?instId=BTC-USDT',
    tickers: [{ name: 'BTC-USDT', bid: '115020.1', ask: '115020.2', order: 1_760_000_000_084 }],
  },
];

test('there are six exchanges, each recorded', () => {
  expect(restExchanges.map(({ source }) => source)).toEqual(recorded.map(({ source }) => source));
});

describe.each(recorded)('$source', ({ source, names, url, tickers }) => {
  const exchange = exchangeOf(source);

  test('asks at its own address and reads the recorded answer', () => {
    expect(exchange.url(names)).toBe(url);
    expect(exchange.read(readFixture(source), names)).toEqual({ kind: 'tickers', tickers });
  });

  test('its pattern accepts its names and nothing that would change the address', () => {
    for (const name of [...names, exchange.nameExample]) expect(name).toMatch(exchange.namePattern);
    for (const name of [
      '',
      'BTC/USDT',
      'BTC USDT',
      'BTC?x',
      'BTC&x',
      '../x',
      'BTC%2F',
      'BTC,ETH',
    ]) {
      expect(name).not.toMatch(exchange.namePattern);
    }
  });

  test.each([
    undefined,
    null,
    0,
    'text',
    [],
    {},
    [[]],
    [null],
    { result: null, error: [] },
    { code: '0', data: [] },
    { code: '0', data: {} },
    { retCode: 0, result: { category: 'linear', list: [{ symbol: 'BTCUSDT' }] }, time: 1 },
    { __proto__: { time: '2025-10-09T08:53:19Z' } },
  ])('%j gives no price and breaks nothing', (answer) => {
    const read = exchange.read(answer, names);
    const prices = read.kind === 'tickers' ? read.tickers.filter((ticker) => ticker.bid) : [];
    expect(prices).toEqual([]);
  });
});

test.each([
  ['kraken', 'krakenUnknown', ['XBTABC'], 'unknownName'],
  ['kraken', 'krakenBusy', ['XBTUSD'], 'unavailable'],
  ['okx', 'okxUnknown', ['BTC-ABC'], 'unknownName'],
  ['bybit', 'bybitUnknown', ['BTCABC'], 'unknownName'],
  ['binance', 'binanceUnknown', ['BTCABC'], 'malformed'],
])('%s answers %s for %j: %s', (source, fixture, names, kind) => {
  expect(exchangeOf(source).read(readFixture(fixture), names)).toEqual({ kind });
});

test('other errors in the body of a good answer give no price', () => {
  const busy = { code: '50011', data: [], msg: 'Rate limit reached.' };
  expect(exchangeOf('okx').read(busy, ['BTC-USDT'])).toEqual({ kind: 'unavailable' });
  const limited = { retCode: 10006, retMsg: 'Too many visits!', result: {}, time: 1 };
  expect(exchangeOf('bybit').read(limited, ['BTCUSDT'])).toEqual({ kind: 'unavailable' });
});

test('the price of an answer that names its pair belongs to that pair', () => {
  const named = { ...readFixture('bitstamp'), pair: 'ETH/USD' };
  expect(exchangeOf('bitstamp').read(named, ['btcusd'])).toMatchObject({
    tickers: [{ name: 'ethusd' }],
  });
});
