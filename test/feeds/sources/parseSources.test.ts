// The file of index sources: what it may hold, each reason why it cannot be used, and that no
// message repeats an address. Then the feeds that are made of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../../src/feeds/sources/openSources.ts';
import { parseSources } from '../../../src/feeds/sources/parseSources.ts';
import { createVirtualTime } from '../../fixtures/virtualTime.ts';
import { createFakeStream } from './fakeStream.ts';
import { createFakeWeb } from './fakeWeb.ts';

const address = '0x2779d32d5166baaa2b2b658333ba7e6ec0c65743';
const feedId = `0x${'ab'.repeat(32)}`;
const rpcUrl = 'https://node.example/v3/secret-key';
const symbols = { BTCUSDT: 'BTCUSDT' };

const rest = { source: 'binance', kind: 'rest', symbols };
const ws = { source: 'coinbase', kind: 'ws', symbols: { BTCUSDT: 'BTC-USDT' } };
const chainlink = {
  source: 'chainlink',
  kind: 'chainlink',
  symbols: { BTCUSDT: address },
  rpcUrl,
  heartbeatSeconds: 3600,
};
const pyth = { ...chainlink, source: 'pyth', kind: 'pyth', symbols: { BTCUSDT: feedId }, address };

const without = (source: object, name: string): object =>
  Object.fromEntries(Object.entries(source).filter(([key]) => key !== name));

describe('contents', () => {
  test('every kind of source', () => {
    const parsed = parseSources(JSON.stringify([rest, ws, chainlink, pyth]));
    if (parsed.kind === 'malformed') throw new Error(parsed.message);
    expect(parsed.sources.map(({ kind }) => kind)).toEqual(['rest', 'ws', 'chainlink', 'pyth']);
    const [first, , third, fourth] = parsed.sources;
    expect([...first!.symbols]).toEqual([['BTCUSDT', 'BTCUSDT']]);
    expect(third).toMatchObject({ source: 'chainlink', rpcUrl, heartbeatSeconds: 3600 });
    expect([...fourth!.symbols]).toEqual([['BTCUSDT', feedId]]);
  });

  test('nothing', () => {
    expect(parseSources('[]')).toEqual({ kind: 'sources', sources: [] });
  });

  test('the example of the runbook', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
    const [, example] = /## Index sources[^#]*?```json\n([^`]*)```/.exec(runbook) ?? [];
    expect(parseSources(example!).kind).toBe('sources');
  });
});

const many = (count: number, nameOf: (i: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`A${i}USDT`, nameOf(i)]));

test.each<[unknown, string]>([
  ['{', 'the file is not JSON'],
  [`[{"rpcUrl": "${rpcUrl}" "kind"}]`, 'the file is not JSON'],
  [{}, 'the file must hold a JSON array of sources'],
  [Array(33).fill(rest), 'the file holds more than 32 sources'],
  [[null], '[0] must be a JSON object'],
  [[rest, []], '[1] must be a JSON object'],
  [[{ ...rest, kind: 'http' }], '[0].kind must be one of rest, ws, chainlink, pyth'],
  [[without(rest, 'kind')], '[0].kind must be one of rest, ws, chainlink, pyth'],
  [[{ ...rest, url: 'x' }], '[0] has the member "url"; the kind rest takes source, kind, symbols'],
  [[{ ...rest, rpcUrl }], '[0] has the member "rpcUrl"; the kind rest takes'],
  [[{ ...chainlink, address }], '[0] has the member "address"; the kind chainlink takes'],
  [[{ ...chainlink, constructor: 1 }], '[0] has the member "constructor"'],
  [[without(rest, 'source')], '[0] must have the member "source"'],
  [[without(rest, 'symbols')], '[0] must have the member "symbols"'],
  [[without(chainlink, 'rpcUrl')], '[0] must have the member "rpcUrl"'],
  [[without(pyth, 'address')], '[0] must have the member "address"'],
  [[without(pyth, 'heartbeatSeconds')], '[0] must have the member "heartbeatSeconds"'],
  [
    [{ ...rest, source: 'mtgox' }],
    '[0].source of kind rest must be one of binance, bitstamp, bybit, coinbase, kraken, okx',
  ],
  [[{ ...ws, source: 'kraken' }], '[0].source of kind ws must be one of binance, coinbase'],
  [[rest, { ...rest, kind: 'ws' }], '[1].source names a source for the second time'],
  [[chainlink, chainlink], '[1].source names a source for the second time'],
  [[{ ...chainlink, source: 'manual' }], '[0].source is the name of another feed'],
  [[{ ...chainlink, source: 'okx' }], '[0].source is the name of another feed'],
  [[{ ...chainlink, source: 'Chain Link' }], '[0].source must be 1 to 32 characters'],
  [[{ ...chainlink, source: 5 }], '[0].source must be 1 to 32 characters'],
  [[{ ...rest, symbols: {} }], '[0].symbols is empty'],
  [[{ ...rest, symbols: [] }], '[0].symbols must be a JSON object'],
  [[{ ...rest, symbols: many(33, (i) => `A${i}USDT`) }], '[0].symbols has more than 32 symbols'],
  [
    [{ ...rest, source: 'okx', symbols: many(11, (i) => `A${i}-USDT`) }],
    '[0].symbols has more than 10 symbols',
  ],
  [
    [{ ...rest, symbols: { 'BTC-USD': 'BTCUSDT' } }],
    '[0].symbols.BTC-USD is not a symbol in canon',
  ],
  [
    [{ ...rest, symbols: { BTCUSD: 'BTCUSDT' } }],
    '[0].symbols.BTCUSD is not a symbol in canonical',
  ],
  [[{ ...rest, symbols: { btcusdt: 'BTCUSDT' } }], '[0].symbols.btcusdt is not a symbol'],
  [
    [{ ...rest, symbols: { BTCUSDT: 'BTC/USDT' } }],
    '[0].symbols.BTCUSDT must be the exchange\'s name of the pair, such as "BTCUSDT"',
  ],
  [[{ ...rest, symbols: { BTCUSDT: 5 } }], "[0].symbols.BTCUSDT must be the exchange's name"],
  [[{ ...ws, symbols }], 'such as "BTC-USDT"'],
  [
    [{ ...rest, symbols: { BTCUSDT: 'BTCUSDT', ETHUSDT: 'BTCUSDT' } }],
    '[0].symbols.ETHUSDT is already the name of another symbol',
  ],
  [[{ ...chainlink, symbols }], '[0].symbols.BTCUSDT must be the address of a contract'],
  [
    [{ ...chainlink, symbols: { BTCUSDT: '0x2779D32d5166baaa2b2b658333ba7e6ec0c65743' } }],
    '[0].symbols.BTCUSDT must be the address of a contract, in lower case or with its checksum',
  ],
  [
    [{ ...pyth, symbols: { BTCUSDT: address } }],
    '[0].symbols.BTCUSDT must be the id of a price feed',
  ],
  [[{ ...pyth, address: feedId }], '[0].address must be the address of a contract'],
  [[{ ...pyth, heartbeatSeconds: 0 }], '[0].heartbeatSeconds must be a whole number of seconds'],
  [[{ ...pyth, heartbeatSeconds: 1.5 }], '[0].heartbeatSeconds must be a whole number of seconds'],
  [[{ ...pyth, heartbeatSeconds: '60' }], '[0].heartbeatSeconds must be a whole number of seconds'],
  [[{ ...pyth, heartbeatSeconds: 604_801 }], '1 to 604800'],
  [[{ ...pyth, rpcUrl: 'wss://node.example/secret-key' }], '[0].rpcUrl must be an http or https'],
  [[{ ...pyth, rpcUrl: 'https://me:secret@node.example' }], '[0].rpcUrl must be an http or https'],
  [[{ ...pyth, rpcUrl: 'secret' }], '[0].rpcUrl must be an http or https address'],
  [[{ ...pyth, rpcUrl: null }], '[0].rpcUrl must be an http or https address'],
])('%j is refused: %s', (value, message) => {
  const parsed = parseSources(typeof value === 'string' ? value : JSON.stringify(value));
  expect(parsed).toMatchObject({ kind: 'malformed' });
  const said = parsed.kind === 'malformed' ? parsed.message : '';
  expect(said).toContain(message);
  expect(said).not.toMatch(/secret|node\.example/);
});

describe('the feeds', () => {
  function open(sources: readonly object[]) {
    const parsed = parseSources(JSON.stringify(sources));
    if (parsed.kind === 'malformed') throw new Error(parsed.message);
    const time = createVirtualTime();
    const web = createFakeWeb();
    const stream = createFakeStream();
    const { fetchText } = web;
    const { openSocket } = stream;
    const { clock, scheduler } = time;
    const ports = { fetchText, openSocket, clock, scheduler, seed: 1, report: () => {} };
    return { feeds: openSources(parsed.sources, ports), time, web, stream };
  }

  test('only configured sources are contacted', async () => {
    const { feeds, time, web, stream } = open([]);
    await time.advanceSettling(60_000);
    expect(feeds).toEqual([]);
    expect(web.asked).toEqual([]);
    expect(stream.connections).toEqual([]);
    expect(time.waiting()).toBe(0);
  });

  test('each source is a feed with its name and contacts only its own address', async () => {
    const { feeds, time, web, stream } = open([rest, ws, chainlink, pyth]);
    expect(feeds.map(({ source }) => source)).toEqual(['binance', 'coinbase', 'chainlink', 'pyth']);
    await time.advanceSettling(100);
    const hosts = [...web.asked, ...stream.connections.map(({ url }) => url)].map(
      (url) => new URL(url).host,
    );
    expect(hosts.sort()).toEqual([
      'api.binance.com',
      'node.example',
      'node.example',
      'ws-feed.exchange.coinbase.com',
    ]);
    for (const feed of feeds) await feed.close();
    expect(time.waiting()).toBe(0);
    expect(web.underWay()).toBe(0);
    expect(stream.held()).toBe(0);
  });

  test('sources that fail together retry at different times', async () => {
    const { feeds, time, web } = open([rest, { ...rest, source: 'bybit' }]);
    await time.advanceSettling(1);
    const at = new Map<string, number>();
    for (let i = 0; i < 1000 && at.size < 2; i += 1) {
      await time.advanceSettling(1);
      for (const url of web.asked.slice(2)) {
        if (!at.has(url)) at.set(url, time.clock.now());
      }
    }
    expect(new Set(at.values()).size).toBe(2);
    for (const feed of feeds) await feed.close();
  });
});
