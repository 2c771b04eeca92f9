// The package of the client and the examples: goal, that projects outside of this one install and
// run them; method, the package is packed and installed into an empty project, and every example
// runs against the real program, in Node 20 and in Python.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import * as browserClient from '../../src/client/createStreamClient.ts';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { findNode20 } from './findNode20.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const temporary = createTemporaryDirectory();
const project = join(temporary.path, 'project');
const compiled = join(project, 'compiled');
let node: string;
let server: RunningServer;
let environment: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  const [packed] = await Promise.all([pack(), start()]);
  const types = ['node', 'ws'].map((name) => `@types/${name}@${versionOf(`@types/${name}`)}`);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', packed, ...types], {
    cwd: project,
  });
  cpSync(join(root, 'examples/typescript'), project, { recursive: true });
  node = await findNode20(temporary.path);
});

afterAll(async () => {
  await server.stop();
  temporary[Symbol.dispose]();
});

function versionOf(name: string): string {
  const path = join(root, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

async function pack(): Promise<string> {
  const words = ['run', '-s', 'pack:client', '--', '--json', '--pack-destination', temporary.path];
  const { stdout } = await run('npm', words, { cwd: root });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }];
  return join(temporary.path, filename);
}

async function start(): Promise<void> {
  server = await startServer({ data: join(temporary.path, 'data') });
  // The time limit of the hook ends it.
  while (!/secret {4}[0-9a-f]/.test(server.output())) await wait(50);
  const [, KEY] = /api key {3}([0-9a-f]{64})/.exec(server.output())!;
  const [, SECRET] = /secret {4}([0-9a-f]{64})/.exec(server.output())!;
  environment = { ...process.env, KEY, SECRET };
}

/** The output of one program of the project. */
async function output(program: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(program, words, { cwd: project, env: environment });
  return stdout;
}

describe('a project in TypeScript', () => {
  beforeAll(async () => {
    const options = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      noUncheckedIndexedAccess: true,
      // The declarations of the package are checked, too.
      skipLibCheck: false,
      types: ['node', 'ws'],
      outDir: compiled,
    };
    const config = { compilerOptions: options, include: ['*.ts'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      project,
    ]).catch(({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    });
  });

  const example = (name: string, seconds: number): Promise<string> =>
    output(node, [join(compiled, `${name}.js`), server.http, 'BTCUSDT', `${seconds}`]);

  test('the maker quotes both sides and cancels its quotes', async () => {
    const said = await example('maker', 3);
    expect(said).toMatch(/^BUY [\d.]+ at [\d.]+$/m);
    expect(said).toMatch(/^SELL [\d.]+ at [\d.]+$/m);
    expect(said).toMatch(/all quotes are cancelled\n$/);
  });

  test('the taker buys, places a stop, and closes its position', async () => {
    const said = await example('taker', 1);
    expect(said).toMatch(/^bought [\d.]+ at [\d.]+: FILLED$/m);
    expect(said).toMatch(/^a stop waits at [\d.]+$/m);
    expect(said).toMatch(/^sold [\d.]+ at [\d.]+: FILLED$/m);
    expect(said).toMatch(/^SELL .*profit -?[\d.]+, fee [\d.]+$/m);
  });

  test('the taker leaves a position alone that the account has already', async () => {
    const { KEY: apiKey = '', SECRET: secretKey = '' } = environment;
    const { fapi } = createClient({ baseUrl: server.http, apiKey, secretKey });
    const order = { symbol: 'BTCUSDT', type: 'MARKET', quantity: '0.01' } as const;
    await fapi.placeOrder({ ...order, side: 'SELL' });
    await expect(example('taker', 1)).rejects.toThrow('the account has a position in BTCUSDT');
    expect(await fapi.getPositionRiskV3({ symbol: 'BTCUSDT' })).toMatchObject([
      { positionAmt: '-0.010' },
    ]);
    await fapi.placeOrder({ ...order, side: 'BUY', reduceOnly: true });
  });

  test('the recorder writes funding as CSV', async () => {
    const [head, ...rows] = (await example('fundingRecorder', 2)).trim().split('\n');
    expect(head).toBe('kind,time,symbol,rate,mark');
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const row of rows) expect(row).toMatch(/^running,[\dTZ:.-]+,BTCUSDT,-?[\d.]+,[\d.]+$/);
  });

  test('the watcher of liquidations connects and prints the insurance fund', async () => {
    const said = await example('liquidationWatcher', 1);
    expect(said).toMatch(/^watching$/m);
    expect(said).toMatch(/^\{.*"balance":"[\d.]+"/m);
  });
});

test('a project in JavaScript, on Node 20', async () => {
  const text = `
    import { ApiError, createClient, createStreamClient, gridOf, keepBook, levelsOf } from '@evermark/client';
    const [base] = process.argv.slice(2);
    const client = createClient({ baseUrl: base, apiKey: process.env.KEY, secretKey: process.env.SECRET });
    const [{ balance }] = await client.fapi.getBalanceV2();
    const refused = await client.fapi.getOrder({ symbol: 'BTCUSDT', orderId: 'none' }).catch((error) => error);
    const streams = createStreamClient({ url: base.replace('http', 'ws') + '/ws' });
    const { symbols } = await client.fapi.getExchangeInfo();
    const { filters } = symbols.find(({ symbol }) => symbol === 'BTCUSDT');
    const tick = gridOf(filters.find(({ tickSize }) => tickSize).tickSize);
    const lot = gridOf(filters.find(({ stepSize }) => stepSize).stepSize);
    let changes = 0;
    let wake;
    const heard = new Promise((resolve) => (wake = resolve));
    const onChange = (isLive) => isLive && ++changes === 3 && wake();
    const kept = keepBook(streams, { symbol: 'BTCUSDT', tick, lot, onChange });
    await heard;
    const { bids, asks } = levelsOf(kept.book, 5);
    const picture = await new Promise((resolve) => streams.subscribe('depth:BTCUSDT:5', resolve));
    streams.close();
    const sizes = [bids, asks, picture.bids, picture.asks].map(({ length }) => length);
    const sound = Number(bids[0][0]) < Number(asks[0][0]) && kept.checksumFailures() === 0;
    const release = process.version.split('.')[0];
    console.log(JSON.stringify([release, balance, refused instanceof ApiError, refused.code, sizes, sound]));
  `;
  writeFileSync(join(project, 'plain.js'), text);
  const answer = JSON.parse(await output(node, ['plain.js', server.http])) as unknown[];
  expect(answer[0]).toBe('v20');
  expect(Number(answer[1])).toBeGreaterThan(0);
  expect(answer.slice(2)).toEqual([true, -1100, [5, 5, 5, 5], true]);
});

test('the package for browsers imports nothing and names no module of Node', () => {
  const installed = join(project, 'node_modules/@evermark/client');
  const text = readFileSync(join(installed, 'dist/browser.js'), 'utf8');
  expect(text).not.toMatch(/^import /m);
  expect(text).not.toContain('node:');
  const declared = readFileSync(join(installed, 'dist/index.d.ts'), 'utf8');
  for (const name of Object.keys(browserClient)) expect(declared).toContain(`function ${name}`);
});

test('the package has the version of the release', () => {
  const versions = ['package.json', 'packages/client/package.json'].map((file) => {
    const { version } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string };
    return version;
  });
  expect(versions[1]).toBe(versions[0]);
});

describe('in Python, with the standard library alone', () => {
  const python = (name: string, words: readonly string[]): Promise<string> =>
    output('python3', ['-B', join(root, 'examples/python', name), ...words]);

  test('signing: a signed request reads the balance', async () => {
    const [row] = JSON.parse(await python('signing.py', [server.http])) as { asset: string }[];
    expect(row).toMatchObject({ asset: 'USDT', accountAlias: 'default' });
  });

  test('order: a limit order is placed and cancelled', async () => {
    const said = await python('order.py', [server.http, 'BTCUSDT']);
    expect(said).toMatch(/: buy [\d.]+ at [\d.]+, NEW\n.*: CANCELED\n$/);
  });

  test('stream: messages of a channel follow each other', async () => {
    const url = server.http.replace('http', 'ws');
    const lines = (await python('stream.py', [`${url}/ws`, 'depth:BTCUSDT', '3']))
      .trim()
      .split('\n');
    const [subscribed, ...messages] = lines.map((line) => JSON.parse(line) as { seq: number });
    expect(subscribed).toEqual({ type: 'subscribed', channel: 'depth:BTCUSDT' });
    const [{ seq }] = messages as [{ seq: number }];
    expect(messages.map((message) => message.seq - seq)).toEqual([0, 1, 2]);
  });
});
