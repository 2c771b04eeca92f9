// Getting started: goal, that a reader can follow docs/start.md as it stands; method, every example
// of the page runs as it is written, in its language, against the real program.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const temporary = createTemporaryDirectory();
const python = join(temporary.path, 'python');
const project = join(temporary.path, 'project');
let server: RunningServer;

/** The examples of one language, in their order. */
function examplesIn(language: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/start.md'), 'utf8');
  const blocks = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter(([, name]) => name === language).map(([, , code]) => code!);
}

beforeAll(async () => {
  server = await startServer({ data: join(temporary.path, 'data') });
  cpSync(join(root, 'examples/python'), python, { recursive: true });
});

afterAll(async () => {
  await server?.stop();
  temporary[Symbol.dispose]();
});

async function output(program: string, words: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, BASE: server.http, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run(program, words, { cwd, env }).catch((failure) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  return stdout;
}

test('every example of the page has a language that is run here', () => {
  const text = readFileSync(join(root, 'docs/start.md'), 'utf8');
  const languages = [...text.matchAll(/^```(\w+)$/gm)].map(([, name]) => name);
  expect(new Set(languages)).toEqual(new Set(['sh', 'python', 'ts']));
});

test('with curl: login, play money, a key, an order, a position, a stream', async () => {
  const script = join(python, 'start.sh');
  writeFileSync(script, `set -euo pipefail\n${examplesIn('sh').join('\n')}`);
  const lines = (await output('bash', [script], python)).trim().split('\n');
  const answers = lines.map((line) => JSON.parse(line) as unknown);
  expect(answers).toHaveLength(8);
  const { amount } = answers[0] as { readonly amount: string };
  expect(Number(amount)).toBeGreaterThan(0);
  expect(answers.slice(0, 5)).toMatchObject([
    { amount },
    [{ balance: amount }],
    { status: 'FILLED', executedQty: '0.010' },
    [{ positionAmt: '0.010' }],
    { type: 'subscribed', channel: 'trades:BTCUSDT' },
  ]);
});

const said =
  /^faucet: [\d.]+ USDT\nbought 0\.010 at [\d.]+\n(refused: -2013 .*\n)?stream: a snapshot with 1 position\n(orders end .*\n)?$/;

test('with Python: login, play money, a key, an order, a stream', async () => {
  const [code] = examplesIn('python');
  writeFileSync(join(python, 'start.py'), code!);
  expect(await output('python3', ['start.py'], python)).toMatch(said);
});

test('with TypeScript: it compiles strictly, and does the same', async () => {
  const client = join(project, 'node_modules/@evermark/client');
  mkdirSync(client, { recursive: true });
  cpSync(join(root, 'packages/client/package.json'), join(client, 'package.json'));
  // In a folder of its own: other tests build the package at the same time.
  const build = ['scripts/node24.mjs', 'scripts/buildClient.ts', join(client, 'dist')];
  await run('node', build, { cwd: root });
  const linked = [
    ['viem', 'node_modules/viem'],
    ['ws', 'node_modules/ws'],
    ['@types', 'node_modules/@types'],
  ] as const;
  for (const [name, folder] of linked) {
    symlinkSync(join(root, folder), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
  writeFileSync(join(project, 'start.ts'), examplesIn('ts')[0]!);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['start.ts'] }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await output(process.execPath, [compiler, '-p', project], project);
  const answer = await output('node', ['start.js'], project);
  expect(answer).toMatch(said);
  expect(answer).toContain('refused: -2013');
  expect(answer).toContain('orders end with this connection: BTCUSDT');
});
