// The typed client in a browser: goal, that a page bundles the operations it names and nothing of
// how they are served; method, a bundler makes a page for a browser, which then trades where there
// is no more than a browser has.

import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signByWebCrypto } from '../../src/client/signByWebCrypto.ts';
import { type MemoryExchange, openMemoryExchange } from '../fixtures/memoryExchange.ts';
import { twoTraders } from '../fixtures/twoTraders.ts';
import { createWallet } from '../identity/wallet.ts';
import type { tradeOnce } from './nativePage.ts';

const root = join(import.meta.dirname, '../..');

/** The bundle of an entry as one script, its imports, and the files of which something is in it. */
async function bundled(entry: string) {
  const warnings: string[] = [];
  await using bundle = await rolldown({
    input: join(root, entry),
    platform: 'browser',
    onLog: (_level, { message }) => warnings.push(message),
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'page', minify: true });
  const [{ code, imports, modules }] = output;
  const files = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return { code, imports, warnings, files: files.map(([path]) => path.slice(root.length + 1)) };
}

type Bundled = Awaited<ReturnType<typeof bundled>>;

let page: Bundled;
let world: MemoryExchange;

beforeAll(async () => {
  page = await bundled('test/api/nativePage.ts');
  world = await openMemoryExchange();
});

afterAll(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

test('NAT-1 a page bundles the client without a module of Node and without the exchange', () => {
  expect(page.warnings).toEqual([]);
  expect(page.imports).toEqual([]);
  expect(page.code).not.toContain('node:');
  expect(page.files.sort()).toEqual([
    'src/api/native/nativeRoutes.ts',
    'src/client/apiError.ts',
    'src/client/createCalls.ts',
    'src/client/createNativeClient.ts',
    'src/client/rowRequest.ts',
    'src/client/signByWebCrypto.ts',
    'src/std/assert.ts',
    'src/std/clock.ts',
    'test/api/nativePage.ts',
  ]);
});

test('NAT-1 a page bundles only the routes that it names', () => {
  expect(page.code.match(/\/api\/v1\/[\w/:-]*/g)).toEqual([
    '/api/v1/auth/nonce',
    '/api/v1/auth/login',
    '/api/v1/orders',
    '/api/v1/orders',
  ]);
  expect(page.code.length).toBeLessThan(4000);
});

test('NAT-1 the bundle trades with only the functions that every browser has', async () => {
  await twoTraders(world);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const where = world.app.server.address();
  if (where === null || typeof where === 'string') throw new Error('no port');
  const { tradeOnce: trade } = runInNewContext(`${page.code};page`, { fetch }) as {
    tradeOnce: typeof tradeOnce;
  };
  const { address, sign } = createWallet(1);
  const placed = await trade(`http://127.0.0.1:${where.port}`, {
    address,
    sign: (challenge) => sign({ ...challenge, chainId: 43113, address }),
  });
  expect(placed).toEqual(['page']);
});

test('the whole client does not fit a page: this check finds what it would bundle', async () => {
  const whole = await bundled('src/client/createClient.ts');
  expect(whole.warnings.join('\n')).toContain('node:crypto');
  expect(whole.files.length).toBeGreaterThan(100);
});

test('spec signing: WebCrypto signs like the examples of RFC 4231', async () => {
  expect(await signByWebCrypto('Jefe', 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});
