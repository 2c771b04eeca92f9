// The configuration: where a setting may be, which place has precedence, and what is refused.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { targets } from '../fuzz/targets.ts';
import { usages } from '../src/bin/usages.ts';
import {
  type Config,
  ConfigError,
  readConfig,
  settingsHelp,
  strayVariables,
} from '../src/config.ts';
import { describeDatabase } from '../src/history/describeDatabase.ts';

const noFile = (path: string): string => {
  throw new Error(`nobody asked for ${path}`);
};

function config(
  args: readonly string[],
  environment: Record<string, string> = {},
  file?: string,
): Config {
  return readConfig({ args, environment, readFile: file === undefined ? noFile : () => file });
}

function refusal(...given: Parameters<typeof config>): string {
  try {
    config(...given);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

test('without any setting the defaults of the demo deployment apply', () => {
  const found = config([]);
  expect(found).toMatchObject({
    data: './data',
    chain: 43113,
    host: '127.0.0.1',
    port: 8080,
    operatorHost: '127.0.0.1',
    operatorPort: 8081,
    feed: { kind: 'sim' },
    feedSpeed: 1,
    marketMaker: true,
    sources: '',
    rateLimitScale: 1,
    operatorToken: '',
  });
  expect(Object.isFrozen(found)).toBe(true);
});

test('flags override variables, variables override the file, the file overrides defaults', () => {
  const file = JSON.stringify({ port: 1, operatorPort: 2, feed: 'manual' });
  const environment = { EVERMARK_CONFIG: 'evermark.json', EVERMARK_OPERATOR_PORT: '3' };
  expect(config([], environment, file)).toMatchObject({
    port: 1,
    operatorPort: 3,
    feed: { kind: 'manual' },
  });
  const args = ['--port', '4', '--operator-port=5', '--config', 'other.json'];
  expect(config(args, environment, file)).toMatchObject({ port: 4, operatorPort: 5 });
});

test('every flag is understood', () => {
  const args = ['--data', 'd', '--port', '0', '--operator-port', '0', '--chain', '56'];
  args.push('--feed', 'replay:BTCUSDT=a.csv,ETH-USD=b.csv.gz', '--feed-speed', '2.5');
  args.push('--no-market-maker', '--no-demo', '--markets', 'markets.json', '--no-warm-up');
  args.push('--sources', 'sources.json');
  expect(config(args)).toMatchObject({
    data: 'd',
    port: 0,
    operatorPort: 0,
    chain: 56,
    feedSpeed: 2.5,
    marketMaker: false,
    demo: false,
    warmUp: false,
    markets: 'markets.json',
    sources: 'sources.json',
    feed: {
      kind: 'replay',
      files: [
        { symbol: 'BTCUSDT', path: 'a.csv' },
        { symbol: 'ETHUSDT', path: 'b.csv.gz' },
      ],
    },
  });
});

test('AUTH-4: secrets come from variables, never from flags, and are never repeated', () => {
  const key = 'ab'.repeat(32);
  expect(config([], { EVERMARK_MASTER_KEY: key }).masterKey).toBe(key);
  expect(refusal(['--master-key', key])).toContain('EVERMARK_MASTER_KEY');
  expect(refusal([`--master-key=${key}`])).toContain('EVERMARK_MASTER_KEY');
  expect(refusal([`--master-key=${key}`])).not.toContain(key);
  expect(refusal([], { EVERMARK_MASTER_KEY: 'hunter2' })).not.toContain('hunter2');
});

test.each([
  [['--chain', '1'], '--chain takes one of'],
  [['--port', '65536'], '--port takes a whole number 0 to 65535'],
  [['--port', '-1'], '--port takes a whole number'],
  [['--port', '8e3'], '--port takes a whole number'],
  [['--port'], '--port needs a value'],
  [['--port', '1', '--port', '2'], '--port is given twice'],
  [['--demo', '--no-demo'], '--no-demo is given twice'],
  [['--data', '--no-demo'], '--data needs a value'],
  [['--port='], '--port takes a whole number'],
  [['--demo=maybe'], '--demo takes true or false, not "maybe"'],
  [['--demo', 'false'], 'false is not a flag'],
  [['--feed', 'oracle'], '--feed takes a feed'],
  [['--feed-speed', '0'], '--feed-speed takes a number above 0'],
  [['--colour', 'red'], '--colour is not a flag'],
  [['stray'], 'stray is not a flag'],
  [['demo'], 'demo is not a flag'],
  [['-p', '1'], '-p is not a flag'],
  [['--', 'x'], '-- is not a flag'],
  [['--no-colour'], '--no-colour is not a flag'],
  [['--no-config'], '--config is not on or off'],
  [['--jwtSecret'], '--jwtSecret is not a flag'],
  [['--no-port'], '--port is not on or off'],
  [['--no-demo=true'], '--no-demo takes no value'],
  [['--trusted-proxies', '10.0.0.0/8'], '--trusted-proxies takes IP addresses'],
])('SYM-0: %j is refused: %s', (args, message) => {
  expect(refusal(args)).toContain(message);
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must hold one JSON object'],
  ['{"prot": 1}', 'unknown key "prot"'],
  ['{"port": null}', '"port" in'],
  ['{"port": "many"}', '"port" in'],
  ['{"__proto__": {"port": 1}, "constructor": 1}', 'unknown key'],
])('the configuration file %s is refused', (file, message) => {
  expect(refusal(['--config', 'evermark.json'], {}, file)).toContain(message);
});

test('a value that begins with dashes follows an equals sign', () => {
  expect(config(['--data=--odd', '--demo=0']).data).toBe('--odd');
  expect(refusal(['--port', '-1'])).toContain('not "-1"');
});

test('a refused setting from a variable names the variable', () => {
  expect(refusal([], { EVERMARK_PORT: 'x' })).toContain('EVERMARK_PORT takes');
});

test('a signer elsewhere is a flag, unless its address has a password, which is never shown', () => {
  const named = `web3signer:https://signer.example#0x${'ab'.repeat(20)}`;
  const secret = named.replace('://', '://name:correct-horse@');
  expect(config(['--signers', named]).signers).toBe(named);
  expect(config([], { EVERMARK_SIGNERS: `${named},${secret}` }).signers).toContain('correct-horse');
  expect(refusal(['--signers', secret])).toBe(
    '--signers would show a password to every process; set EVERMARK_SIGNERS.',
  );
  const open = secret.replace('https:', 'http:');
  for (const wrong of [open, 'keys/one', `${named},`, `${secret}00`]) {
    const said = refusal([], { EVERMARK_SIGNERS: wrong });
    expect(said).toContain('EVERMARK_SIGNERS takes web3signer:URL#ADDRESS');
    expect(said).not.toContain('horse');
  }
});

test('the address of history is a variable and no flag, because it contains a password', () => {
  const databaseUrl = 'postgres://evermark:hunter2@db.example:5433/trading?sslmode=require';
  expect(config([], { DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
  expect(config([]).databaseUrl).toBe('');
  expect(config([], { DATABASE_URL: '' }).databaseUrl).toBe('');
  expect(refusal(['--database-url', databaseUrl])).toContain('set DATABASE_URL');
  const wrongs = [
    'mysql://a:hunter2@b/c',
    'postgres://evermark:hunter2@db.example',
    'postgres://evermark:hunter2@/trading?host=/run/postgresql',
    'postgres://evermark:hunter2@db.example:port/trading',
  ];
  for (const wrong of wrongs) {
    const said = refusal([], { DATABASE_URL: wrong });
    expect(said).toContain('DATABASE_URL takes postgres://');
    expect(said).not.toContain('hunter2');
  }
  const reported = describeDatabase({ databaseUrl, directory: '/data' });
  expect(reported).toBe('PostgreSQL at db.example:5433/trading');
  expect(describeDatabase({ databaseUrl: undefined, directory: '/data' })).toContain('history.db');
});

test('a mistyped variable of the program is reported, and other variables are ignored', () => {
  const good = { EVERMARK_PORT: '1', EVERMARK_CONFIG: '', EVERMARK_OPERATOR_URL: 'http://[::1]:1' };
  expect(strayVariables({ ...good, EVERMARK_PROT: '1', EVERMARKET: '1' })).toEqual([
    'EVERMARK_PROT',
  ]);
});

test('a heap size that would end V8 is refused', () => {
  expect(refusal(['--heap-size', '10'])).toContain('--heap-size takes 0, or a whole number 256');
  expect(config(['--heap-size', '256']).heapSize).toBe(256);
  expect(config(['--heap-size', '0']).heapSize).toBe(0);
});

test('the README names every benchmark, every target of the fuzzer and every subcommand', () => {
  const root = join(import.meta.dirname, '..');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const commands = readme.slice(readme.indexOf('## Commands'), readme.indexOf('## Simulation'));
  const bench = readFileSync(join(root, 'bench/bench.ts'), 'utf8');
  const benches = [...bench.matchAll(/^ {2}(\w+): 'run\w+Bench'/gm)].map(([, name]) => name!);
  expect(benches.length).toBeGreaterThan(9);
  for (const name of [...benches, ...Object.keys(targets), ...Object.keys(usages)]) {
    expect(commands).toMatch(new RegExp(`(\`|-- )${name}\\b`));
  }
});

test('the help names every setting, like the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('## Settings'), readme.indexOf('A flag wins over'));
  const words = (text: string, pattern: RegExp): string[] =>
    [...new Set([...text.matchAll(pattern)].map(([word]) => word))].sort();
  for (const pattern of [/EVERMARK_[A-Z_]+|DATABASE_URL/g, /(?<=[` ])--[a-z][a-z-]+/g]) {
    const help = settingsHelp().replace(/--\[no-\]/g, '--');
    const reported = table.replace(/--no-/g, '--');
    expect(words(help, pattern)).toEqual(words(reported, pattern));
  }
});
