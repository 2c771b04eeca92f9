// The option --sources from its file to the feeds beside the others: nothing changes without it,
// and a file that cannot be used stops the start with its name. The files here name no server that
// exists.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFeeds } from '../../../src/bin/openFeeds.ts';
import { ConfigError } from '../../../src/config.ts';
import { createExchange } from '../../../src/engine/exchange.ts';
import { createManualFeed } from '../../../src/feeds/manualFeed.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evermark-sources-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const path = join(folder, 'sources.json');
  writeFileSync(path, text);
  return path;
}

async function open(sources: string) {
  const reports: string[] = [];
  const feeds = await openFeeds({
    manual: createManualFeed(),
    config: { feed: { kind: 'sim' }, feedSpeed: 1, feedSeed: 1, sources },
    exchange: createExchange(56),
    report: (message) => reports.push(message),
  });
  return { feeds, reports };
}

const namesOf = (feeds: Awaited<ReturnType<typeof open>>['feeds']): string[] =>
  feeds.map(({ source }) => source);

test('without the option there are only the feeds of the deployment', async () => {
  expect(namesOf((await open('')).feeds)).toEqual(['sim', 'manual']);
});

test('with the option each source is one more feed', async () => {
  const oracle = {
    source: 'oracle',
    kind: 'chainlink',
    // No server listens there; nothing outside the machine is contacted.
    rpcUrl: 'http://127.0.0.1:9/secret-key',
    heartbeatSeconds: 60,
    symbols: { BTCUSDT: '0x2779d32d5166baaa2b2b658333ba7e6ec0c65743' },
  };
  const { feeds, reports } = await open(write(JSON.stringify([oracle])));
  expect(namesOf(feeds)).toEqual(['sim', 'manual', 'oracle']);
  while (reports.length === 0) await new Promise((done) => setTimeout(done, 10));
  expect(reports).toEqual(['index source oracle: all its prices: the node: it cannot be reached']);
  for (const feed of feeds) await feed.close();
});

test.each([
  ['{', 'sources.json: the file is not JSON'],
  ['[{"kind":"ftp"}]', 'sources.json: [0].kind must be one of rest, ws, chainlink, pyth.'],
])('%s stops the start: %s', async (text, message) => {
  const opening = open(write(text));
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(message);
});

test('a missing file stops the start', async () => {
  await expect(open(join(folder, 'nowhere.json'))).rejects.toThrow('The index sources cannot be');
});
