// The committed AsyncAPI document follows from the current schemas; what it names exists. That
// messages are as it says, the tests of the streams hold for every message they see
// (streams/checkMessage.ts).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asyncApi } from '../../src/api/streams/asyncApi.ts';
import { channels } from '../../src/api/streams/channelMessages.ts';
import { marketStreams } from '../../src/api/streams/streamEvents.ts';
import { parseStreamName } from '../../src/streams/fapi/streamName.ts';
import { parseChannelName } from '../../src/streams/native/channelName.ts';
import { openWorld, type World } from '../gateway/gatewayWorld.ts';

const document = asyncApi('v1');

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('docs/api/asyncapi.json is fresh; `scripts/asyncApi.ts` writes it', () => {
  const path = join(import.meta.dirname, '../../docs/api/asyncapi.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
});

test('the document names its servers and its licence', () => {
  expect(document.info.license.name).toContain('UNLICENSED');
  expect(Object.values(document.servers)).toMatchObject([
    { host: '127.0.0.1:8080', protocol: 'ws' },
  ]);
});

test('/docs/asyncapi.json shows it', async () => {
  const { body } = await world.send('GET', '/docs/asyncapi.json');
  expect(body).toEqual(JSON.parse(JSON.stringify(asyncApi('0.0.0-test'))));
});

test('every reference of the document has a target, and no reader of parameters appears in it', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(100);
  for (const path of references) {
    let place: unknown = document;
    for (const part of path.split('/')) place = (place as Record<string, unknown>)[part];
    expect(place, path).toBeDefined();
  }
  expect(text).not.toContain('x-reading');
});

test('every channel and stream of the document can be subscribed by its name', () => {
  const { exchange } = world.replica;
  const named = (pattern: string, symbol: string): string =>
    pattern.replace('<symbol>', symbol).replace('<interval>', '1m').replace('<levels>', '20');
  for (const pattern of Object.keys(channels)) {
    expect(parseChannelName(named(pattern, 'BTCUSDT'), exchange)).toHaveProperty('kind');
  }
  for (const pattern of Object.keys(marketStreams)) {
    const name = named(pattern, 'btcusdt');
    expect(parseStreamName(name, exchange)).toMatchObject({ name });
  }
});
