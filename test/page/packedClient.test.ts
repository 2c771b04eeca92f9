// The package of the client in a real browser: a page of another origin loads the packed file as it
// is, reads a book by its channel, signs in with nothing but its functions, and trades.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import { must } from '../../src/std/assert.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';
import { useStage } from './useStage.ts';

const stage = useStage({ quiet: ['BTCUSDT'] });
const root = join(import.meta.dirname, '../..');

/** Serves a page and the packed file beside it; gives the address of the page. */
async function servePage(script: string): Promise<{ url: string; close: () => void }> {
  using directory = createTemporaryDirectory();
  const build = ['scripts/node24.mjs', 'scripts/buildClient.ts', directory.path];
  await promisify(execFile)(process.execPath, build, { cwd: root });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>A page of another origin</title>'],
    '/client.js': ['text/javascript', readFileSync(join(directory.path, 'browser.js'), 'utf8')],
    '/script.js': ['text/javascript', script],
  };
  const server = createServer(({ url = '/' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(url in files ? 200 : 404, { 'content-type': `${type}; charset=utf-8` });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const script = `
  import { ApiError, createClient, createStreamClient, gridOf, keepBook, levelsOf } from './client.js';

  export async function trade({ base, token, apiKey, secretKey }) {
    const native = createClient({ baseUrl: base, token }).native;
    const { fapi } = createClient({ baseUrl: base, apiKey, secretKey });
    const markets = await native.listNativeMarkets();
    const { symbol, tick_size, lot_size } = markets.find(({ symbol }) => symbol === 'BTCUSDT');
    const streams = createStreamClient({ url: base.replace('http', 'ws') + '/ws' });
    const [tick, lot] = [gridOf(tick_size), gridOf(lot_size)];
    const book = await new Promise((resolve) => {
      const kept = keepBook(streams, { symbol, tick, lot, onChange: (isLive) => isLive && resolve(kept) });
    });
    const { bids, asks } = levelsOf(book.book, 3);
    const placed = await fapi.placeOrder(
      { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '100000' },
    );
    const refused = await native.getNativeOrder({ id: 'none' }).catch((error) => error);
    streams.close();
    return {
      levels: [bids.length, asks.length],
      isCrossed: Number(bids[0][0]) >= Number(asks[0][0]),
      orderId: placed.orderId,
      refused: refused instanceof ApiError && refused.code,
    };
  }
`;

/** What a person of the page has: a login, and a key made with it. */
async function openAccount() {
  const { http: baseUrl, operator } = stage.server;
  const { address, sign } = createWallet(91);
  await operator.creditAccount({ address, amount: '10000', reference: 'for a page' });
  const visitor = createClient({ baseUrl });
  const { nonce, timestamp } = await visitor.native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await visitor.native.login({ address, nonce, timestamp, signature });
  const { native } = createClient({ baseUrl, token });
  const { api_key: apiKey, secret_key: secretKey } = await native.createApiKey({ label: 'page' });
  return { token, apiKey, secretKey, native };
}

test('the packed client keeps a book and trades on a page of another origin', async () => {
  const served = await servePage(script);
  const context = await stage.browser.newContext();
  try {
    const { native, ...access } = await openAccount();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(served.url);
    const done = await page.evaluate(
      async (given) => {
        const path = '/script.js';
        const { trade } = (await import(path)) as {
          trade: (from: typeof given) => Promise<Readonly<Record<string, unknown>>>;
        };
        return trade(given);
      },
      { base: stage.server.http, ...access },
    );
    expect(done).toMatchObject({ levels: [3, 3], isCrossed: false, refused: 'ORDER_NOT_FOUND' });
    const [order] = await native.listNativeOrders({});
    expect(must(order, 'the order rests')).toMatchObject({
      order_id: done.orderId,
      price: '100000.0',
      orig_qty: '0.010',
    });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
    served.close();
  }
});
