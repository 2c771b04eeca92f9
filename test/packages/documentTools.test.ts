// The documents of the interface, checked with widely used tools. Goal: they pass the recommended
// rules of Redocly and of AsyncAPI, and clients made of them compile strictly. Method: the tools
// are installed, as their lock says, into a temporary folder and run on docs/api.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const temporary = createTemporaryDirectory();
const project = join(temporary.path, 'project');
const outputMax = 64 * 1024 * 1024;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, 'documentTools'), project, { recursive: true });
  cpSync(join(root, '.npmrc'), join(project, '.npmrc'));
  cpSync(join(root, 'docs/api'), join(project, 'api'), { recursive: true });
  await run('npm', ['ci', '--prefer-offline'], { cwd: project });
});

afterAll(() => temporary[Symbol.dispose]());

async function tool(program: string, ...words: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = { cwd: project, env, maxBuffer: outputMax };
  const path = join('node_modules', program);
  const { stdout } = await run(process.execPath, [path, ...words], options).catch((failure) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  return stdout;
}

type Problem = { readonly severity: string; readonly ruleId: string; readonly message: string };

async function problemsOf(document: string): Promise<readonly Problem[]> {
  const words = ['lint', '--extends=recommended', '--format=json', `api/${document}`];
  const answer = await tool('@redocly/cli/bin/cli.js', ...words);
  return (JSON.parse(answer) as { readonly problems: readonly Problem[] }).problems;
}

test("the requests pass Redocly's recommended rules without a warning", async () => {
  expect(await problemsOf('openapi.json')).toEqual([]);
});

/** Open operations have no security, and the licence has no address. */
const warnings = ['security-defined', 'info-license-strict'];

test("the streams pass Redocly's recommended rules but for security and licence", async () => {
  const problems = await problemsOf('asyncapi.json');
  expect(problems.filter(({ ruleId }) => !warnings.includes(ruleId))).toEqual([]);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test("the streams pass AsyncAPI's recommended rules without a message", async () => {
  const program = `
    import { Parser } from '@asyncapi/parser';
    import { readFileSync } from 'node:fs';
    const text = readFileSync('api/asyncapi.json', 'utf8');
    const { document, diagnostics } = await new Parser().parse(text);
    console.log(JSON.stringify([document !== undefined, diagnostics]));
  `;
  writeFileSync(join(project, 'parse.js'), program);
  const { stdout } = await run(process.execPath, ['parse.js'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([true, []]);
});

const use = `
import type { operations } from './types.js';
import { getLoginNonce } from './orval/client.js';

type Placed = operations['placeNativeOrder']['responses'][200]['content']['application/json'];
export const shown = ({ status, orig_qty }: Placed): string => status + orig_qty;

export async function nonceOf(address: string): Promise<string> {
  const answer = await getLoginNonce({ address });
  if (answer.status !== 200) throw new Error(String(answer.status));
  return answer.data.nonce;
}
`;

test('clients of openapi-typescript and of orval compile strictly, and have the types of operations', async () => {
  const bundle = join(project, 'orval.config.mjs');
  const output = { target: './orval/client.ts', client: 'fetch', mode: 'split' };
  const config = { evermark: { input: { target: './api/openapi.json' }, output } };
  writeFileSync(bundle, `export default ${JSON.stringify(config)};`);
  mkdirSync(join(project, 'orval'));
  await tool('openapi-typescript/bin/cli.js', 'api/openapi.json', '-o', 'types.ts');
  await tool('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
  writeFileSync(join(project, 'use.ts'), use);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['use.ts'] }),
  );
  expect(await tool('typescript/bin/tsc', '-p', '.')).toBe('');
});
