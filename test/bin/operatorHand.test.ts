// The running program under its operator's hand: what it writes and where, who may read it, and
// that each act of the operator is one line of the journal. One deployment, started twice.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import {
  cleanEnvironment,
  operatorToken,
  program,
  quietFlags,
  type RunningServer,
  startServer,
} from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

const directory = createTemporaryDirectory();
afterAll(() => directory[Symbol.dispose]());

/** Everything on standard error, each line of which must be of the journal. */
function journalOf(server: RunningServer): Line[] {
  const lines = server
    .errors()
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Everything below a directory with rights for other users. */
function openToOthers(path: string): string[] {
  const entry = lstatSync(path);
  const below = entry.isDirectory() ? readdirSync(path) : [];
  const own = (entry.mode & 0o077) === 0 ? [] : [path];
  return [...own, ...below.flatMap((name) => openToOthers(join(path, name)))];
}

test('OPS-5 each action of the operator is one line of the journal, with the values before and after', async () => {
  const data = join(directory.path, 'acts');
  const server = await startServer({ data, flags: [...quietFlags] });
  const { operator } = server;
  const address = `0x${'a5'.repeat(20)}`;
  const symbol = 'BTCUSDT';
  await operator.setIndexPrice({ symbol, price: '50000' });
  await operator.setIndexPrice({ symbol, price: '51000' });
  await expect(operator.setIndexPrice({ symbol, price: '5100' })).rejects.toThrow();
  await operator.creditAccount({ address, amount: '1000', reference: 'one' });
  await operator.correctCredit({ address, credit: 'one', amount: '100', reference: 'fix' });
  await operator.changeAccount({ address, house: true });
  await operator.changeMarket({ symbol, taker_fee: '0.0006' });
  await operator.creditInsurance({ amount: '5', reference: 'fund' });
  await operator.takeSnapshot();
  await operator.getInvariants();
  expect(await server.stop()).toBe(0);

  const lines = journalOf(server);
  for (const { level, time } of lines) {
    expect(['info', 'warn', 'error']).toContain(level);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  const acts = lines.filter(({ act }) => act !== undefined);
  const reported = acts.map(({ act, from, asked, before, after, refused }) => {
    expect(from).toBe('127.0.0.1');
    return { act, asked, before, after, refused };
  });
  // The three markets of the demo are acts too.
  expect(reported.slice(0, 3).map(({ act }) => act)).toEqual(Array(3).fill('listMarket'));
  expect(reported.slice(3)).toEqual([
    {
      act: 'setIndexPrice',
      asked: { price: '50000', symbol },
      before: { index_price: '0' },
      after: { index_price: '50000.0' },
    },
    {
      act: 'setIndexPrice',
      asked: { price: '51000', symbol },
      before: { index_price: '50000.0' },
      after: { index_price: '51000.0' },
    },
    {
      act: 'setIndexPrice',
      asked: { price: '5100', symbol },
      before: { index_price: '51000.0' },
      refused: expect.objectContaining({ code: 'CONFIRMATION_REQUIRED' }),
    },
    {
      act: 'creditAccount',
      asked: { address, amount: '1000', reference: 'one' },
      after: { address, amount: '1000', reference: 'one' },
    },
    {
      act: 'correctCredit',
      asked: { address, credit: 'one', amount: '100', reference: 'fix' },
      before: { amount: '1000' },
      after: { amount: '100' },
    },
    {
      act: 'changeAccount',
      asked: { address, house: 'true' },
      before: { house: false, fee_tier: 0 },
      after: { house: true, fee_tier: 0 },
    },
    {
      act: 'changeMarket',
      asked: { symbol, taker_fee: '0.0006' },
      before: { taker_fee: '0.0005', pending_raise: null },
      after: { taker_fee: '0.0006', pending_raise: null },
    },
    {
      act: 'creditInsurance',
      asked: { amount: '5', reference: 'fund' },
      after: { amount: '5', reference: 'fund' },
    },
    { act: 'takeSnapshot', asked: {}, after: { position: expect.any(Number) } },
  ]);
  expect(JSON.stringify(lines)).not.toContain(operatorToken);
  expect(lines.at(-1)?.msg).toBe('stopped');
});

test('OPS-5 standard error has only lines of the journal, standard output is for people', async () => {
  const data = join(directory.path, 'demo');
  const server = await startServer({ data, flags: ['--no-market-maker'] });
  expect(server.output()).toMatch(/\n {2}clients {3}http/);
  expect(server.output()).toMatch(/secret {4}[0-9a-f]{64}/);
  expect(server.output().trimEnd().split('\n').at(-1)).toMatch(/^evermark ready /);
  const secret = /secret {4}([0-9a-f]{64})/.exec(server.output())![1]!;
  expect(server.errors()).not.toContain(secret);
  const apiKey = /api key {3}([0-9a-f]{64})/.exec(server.output())![1]!;
  const client = createClient({ baseUrl: server.http, apiKey, secretKey: secret });
  const limit = { type: 'LIMIT', quantity: '1', price: '10' } as const;
  await client.fapi.placeOrder({ symbol: 'AVAXUSDT', side: 'BUY', ...limit });

  // OPS-6: while it runs and when it has stopped, whatever the umask of who started it.
  if (process.platform !== 'win32') {
    // History may open its file a little later than clients may come.
    const written = (): boolean => existsSync(join(data, 'history.db-wal'));
    await expect.poll(written, { timeout: 600_000 }).toBe(true);
    expect(openToOthers(data)).toEqual([]);
  }
  // What `invariants` prints of a running exchange, `verify` prints of its files.
  const asked = await runEvermark(server, ['invariants']);
  expect(await server.stop()).toBe(0);
  expect(journalOf(server).length).toBeGreaterThan(0);
  const verified = spawnSync(process.execPath, [program, 'verify', '--data', data], {
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  expect(verified.status, verified.stderr).toBe(0);
  const { invariants } = JSON.parse(verified.stdout) as never as {
    readonly invariants: { readonly figures: Readonly<Record<string, unknown>> };
  };
  const { figures } = asked.answer as { readonly figures: Readonly<Record<string, unknown>> };
  expect(Object.keys(invariants.figures)).toEqual(Object.keys(figures));
  expect(invariants.figures).toMatchObject({ deposits: '1100000', difference: '0' });
  expect(figures).toMatchObject({ deposits: '1100000', difference: '0' });

  // A copy of the one file of history is whole.
  const copy = join(directory.path, 'copy.db');
  copyFileSync(join(data, 'history.db'), copy);
  const database = new Database(copy, { readonly: true });
  const { count } = database.prepare('select count(*) as count from orders').get() as never as {
    readonly count: number;
  };
  database.close();
  expect(count).toBe(1);

  if (process.platform === 'win32') return;
  for (const name of ['history.db', 'deployment.json', 'log']) chmodSync(join(data, name), 0o755);
  chmodSync(data, 0o755);
  const second = await startServer({ data, flags: ['--no-market-maker'] });
  const [mended] = journalOf(second).filter(({ msg }) => msg.includes('other users'));
  expect(mended).toMatchObject({
    level: 'warn',
    msg: expect.stringContaining('could read 4 files'),
  });
  expect(openToOthers(data)).toEqual([]);
  expect(await second.stop()).toBe(0);
});

test('OPS-2 a market without a price from the feed accepts the price of the operator', async () => {
  const data = join(directory.path, 'listing');
  const server = await startServer({ data, flags: ['--no-market-maker', '--no-demo'] });
  const { operator } = server;
  const symbol = 'SOLUSDT';
  const names = { symbol, base_asset: 'SOL', tick_size: '0.01', lot_size: '0.1' };
  const listed = await operator.listMarket(names);
  expect(listed.index_sources).toEqual([{ source: 'manual', weight: 1 }]);
  const [bitcoin] = await operator.listOperatorMarkets();
  expect(bitcoin!.index_sources).toEqual([{ source: 'sim', weight: 1 }]);
  const priced = await operator.setIndexPrice({ symbol, price: '180' });
  expect(priced).toMatchObject({ index_price: '180.00' });
  expect(await server.stop()).toBe(0);
});

test.each([
  ['sim', 'invents its prices'],
  ['replay:BTCUSDT=trades.csv', 'plays recorded prices'],
])('PRC-2 a mainnet deployment with the feed %s is refused before it is created', (feed, why) => {
  const data = join(directory.path, 'mainnet');
  for (const chain of ['43114', '42161', '56']) {
    const words = ['start', '--data', data, '--chain', chain, '--feed', feed];
    const typed = spawnSync(process.execPath, [program, ...words], {
      env: cleanEnvironment(),
      encoding: 'utf8',
      timeout: 600_000,
    });
    expect(typed.status).toBe(2);
    expect(typed.stderr).toMatch(new RegExp(`^Chain ${chain} carries real money, .*${why}`));
    expect(existsSync(data)).toBe(false);
  }
});

test('the program prints its release, its settings as understood, and the meaning of each', () => {
  const type = (...words: string[]) =>
    spawnSync(process.execPath, [program, ...words], { env: cleanEnvironment(), encoding: 'utf8' });
  expect(type('--version')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+/),
  });
  const typo = type('verfy');
  expect(typo.status).toBe(2);
  expect(typo.stderr).toContain('There is no subcommand "verfy". Did you mean "evermark verify"?');
  expect(type('help').stdout).toContain('Exit codes: 0 done, 1 failed or refused, 2 typed wrongly');
  expect(type('start', '--help').stdout).toMatch(
    /--free-disk-min .*\n +megabytes of free disk below which new orders are refused/,
  );
});
