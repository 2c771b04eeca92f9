// The probes and the documents: open to everybody, without dependencies.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemoryExchange, openMemoryExchange, version } from '../fixtures/memoryExchange.ts';
import { smallDocumentFile, smallPageFile } from '../fixtures/smallPage.ts';

let world: MemoryExchange;

beforeAll(async () => {
  world = await openMemoryExchange();
});

afterAll(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

test('OPS-3 /health reports that the process is up, and its version', async () => {
  expect(await world.client().probes.getHealth()).toEqual({ status: 'ok', version });
});

test('OPS-3 /metrics is plain text of the registry', async () => {
  const response = await world.app.inject({ url: '/metrics' });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.body).toContain('evermark_up 1');
});

test('CON-3 the operator reads /metrics on a separate listener with the token', async () => {
  const ask = (headers: Record<string, string>) =>
    world.operatorApp.inject({ url: '/metrics', headers });
  expect((await ask({})).statusCode).toBe(401);
  const response = await ask({ authorization: `Bearer ${world.operatorToken}` });
  expect(response.statusCode).toBe(200);
  expect(response.body).toContain('evermark_up 1');
});

test('OPS-3 /health/liquidation-<chain> takes the id and the short name of its own chain', async () => {
  for (const chain of ['43113', 'fuji', 'FUJI']) {
    expect(await world.client().probes.getLiquidationHealth({ chain })).toEqual({
      enabled: false,
      chain_id: 43113,
      chain: 'fuji',
      keeper_address: null,
      last_block: null,
      submissions: { pending: 0, submitted: 0, confirmed: 0, failed: 0 },
    });
  }
  for (const chain of ['43114', 'avalanche', '1', 'x', '__proto__', '43113.0']) {
    const answer = world.client().probes.getLiquidationHealth({ chain });
    await expect(answer, chain).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
});

test('/ is the trading page: it knows its deployment, and everything that it names is served', async () => {
  const page = await world.app.inject({ url: '/' });
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('<meta name="evermark-chain" content="43113">');
  expect(page.body).toContain('<meta name="evermark-money" content="play">');
  const links = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toContain('/docs');
  expect(links).toContain(smallPageFile);
  expect((await world.app.inject({ url: '/page/other.js' })).statusCode).toBe(404);
  for (const url of links) {
    expect((await world.app.inject({ url })).statusCode, url).not.toBe(404);
  }
});

test('/docs names only what is served here, and /docs/openapi.json is its data', async () => {
  const page = await world.app.inject({ url: '/docs' });
  expect(page.headers['content-type']).toContain('text/html');
  const links = [...page.body.matchAll(/(?:href|src|data-document)="([^"#]+)"/g)];
  const places = links.map(([, link]) => link!);
  expect(places).toEqual(expect.arrayContaining([smallDocumentFile, '/docs/openapi.json']));
  expect(places.filter((place) => !place.startsWith('/'))).toEqual([]);
  expect((await world.app.inject({ url: smallDocumentFile })).statusCode).toBe(200);
  const document = await world.client().probes.getOpenApi();
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Evermark', version } });
});

test('/docs/ is /docs, and a page that does not exist is 404', async () => {
  const [one, other] = await Promise.all(
    ['/docs', '/docs/'].map((url) => world.app.inject({ url })),
  );
  expect(one!.body).toBe(other!.body);
  for (const url of ['/docs/other', '/docs/rules/other', '/docs/files/other.js']) {
    expect((await world.app.inject({ url })).statusCode, url).toBe(404);
  }
});
