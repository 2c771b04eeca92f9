// Documents over the wire (CON-4, CON-5): compressed, cached by clients, requested by HEAD; from
// the serving thread and from a gateway worker.

import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicOperations } from '../../src/api/operations.ts';
import { prepareDocuments } from '../../src/gateway/prepareDocuments.ts';
import { smallDocumentFile, smallPageFile } from '../fixtures/smallPage.ts';
import { openWorld, type World } from './gatewayWorld.ts';

let world: World;
let port: number;

const applicationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const hash = "'sha256-[A-Za-z0-9+/]{43}='";
/** A page of text has its own styles and runs nothing. */
const textPolicy = new RegExp(
  `^default-src 'none'; img-src 'self'; style-src ${hash}; base-uri 'none'; ` +
    `form-action 'none'; frame-ancestors 'none'$`,
);
const policies = new Map<string, RegExp>([
  ['/', new RegExp(`^${applicationPolicy}$`)],
  [
    '/docs',
    new RegExp(
      `^default-src 'none'; script-src 'self'; style-src ${hash} ` +
        // An empty text: the elements into which the renderer writes its styles.
        `'sha256-47DEQpj8HBSa\\+/TImW\\+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src 'self' data:; ` +
        `font-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; ` +
        `form-action 'none'$`,
    ),
  ],
]);
const insideText = /<script|<img|<form|\sstyle=|\son\w+=/;
/** What may not stand in a page that runs scripts of files. */
const inside = new Map([
  ['/', /<script(?![^>]*\ssrc="\/page\/)|<style|<img|<form|\sstyle=|\son\w+=/],
  ['/docs', /<script(?![^>]*\ssrc="\/docs\/files\/)|<img|<form|\sstyle=|\son\w+=/],
]);

/** How long a browser may keep what it shows; documents for 300 seconds. */
const kept = new Map([
  ['/', 'no-cache'],
  ['/docs', 'no-cache'],
  ['/docs/errors', 'no-cache'],
  [smallPageFile, 'public, max-age=31536000, immutable'],
  [smallDocumentFile, 'public, max-age=31536000, immutable'],
]);

type Heard = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
};

describe.each([0, 1])('with %i workers', (workers) => {
  beforeAll(async () => {
    world = await openWorld();
    await prepareDocuments(world.gateway, publicOperations);
    port = await world.listen(workers);
  });
  afterAll(() => world.close());

  const ask = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0, headers: heard } = response;
          resolve({ status, headers: heard, bytes: Buffer.concat(chunks) });
        });
      });
      asked.on('error', reject).end();
    });

  const fixed = ['/docs/openapi.json', '/docs/asyncapi.json', '/favicon.ico'];
  const documents = [...fixed, '/docs', '/docs/errors', smallDocumentFile, '/', smallPageFile];

  test('CON-4 documents are compressed as the client accepts it', async () => {
    for (const path of documents) {
      const plain = await ask(path);
      expect([plain.status, plain.headers['content-encoding']], path).toEqual([200, undefined]);
      const gzip = await ask(path, { 'accept-encoding': 'gzip, deflate' });
      expect(gzip.headers['content-encoding'], path).toBe('gzip');
      expect(gunzipSync(gzip.bytes).equals(plain.bytes), path).toBe(true);
      const brotli = await ask(path, { 'accept-encoding': 'gzip;q=0.5, br' });
      expect(brotli.headers['content-encoding'], path).toBe('br');
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes), path).toBe(true);
      const refused = await ask(path, { 'accept-encoding': 'gzip;q=0, br;q=0.0' });
      expect(refused.headers['content-encoding'], path).toBeUndefined();
      for (const { headers } of [plain, gzip, brotli]) {
        expect(headers.vary).toBe('Accept-Encoding');
        expect(headers['cache-control'], path).toBe(kept.get(path) ?? 'public, max-age=300');
      }
    }
  });

  test('CON-4 a client that has a document already gets 304', async () => {
    for (const path of documents) {
      const { headers } = await ask(path);
      const again = await ask(path, { 'if-none-match': String(headers.etag) });
      expect([again.status, again.bytes.length, again.headers.etag], path).toEqual([
        304,
        0,
        headers.etag,
      ]);
      expect((await ask(path, { 'if-none-match': '"other"' })).status, path).toBe(200);
    }
  });

  test('CON-4 HEAD is answered like GET, without the body', async () => {
    const paths = [...documents, '/docs/', '/health', '/fapi/v1/time', '/api/v1/markets', '/none'];
    for (const path of paths) {
      const [got, head] = [await ask(path), await ask(path, {}, 'HEAD')];
      expect([head.status, head.bytes.length], path).toEqual([got.status, 0]);
      for (const name of ['content-type', 'content-length', 'etag']) {
        expect(head.headers[name], `${path} ${name}`).toBe(got.headers[name]);
      }
    }
    expect((await ask('/fapi/v1/order', {}, 'HEAD')).status).toBe(401);
    expect((await ask('/api/v1/auth/login', {}, 'HEAD')).status).toBe(404);
  });

  test('CON-4 HEAD counts like GET', async () => {
    const before = Number((await ask('/fapi/v1/ping')).headers['x-mbx-used-weight-1m']);
    const head = await ask('/fapi/v1/ping', {}, 'HEAD');
    expect(Number(head.headers['x-mbx-used-weight-1m'])).toBe(before + 1);
  });

  test('CON-5 every answer forbids guesses at its content type; a page runs nothing inline and is never embedded', async () => {
    const paths = [...documents, '/health', '/fapi/v1/time', '/api/v1/balances', '/none'];
    for (const path of paths) {
      const { headers, bytes } = await ask(path);
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      const isPage = String(headers['content-type']).startsWith('text/html');
      if (!isPage) continue;
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
      expect(policy).toMatch(policies.get(path) ?? textPolicy);
      // The page has nothing that the policy forbids.
      expect(bytes.toString()).not.toMatch(inside.get(path) ?? insideText);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    }
  });
});
