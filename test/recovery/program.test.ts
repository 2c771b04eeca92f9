// The program as a person runs it: it starts, says once that it is ready, stops on request, returns
// with the same state, and refuses data that is not its own. Then the subcommands that read its
// files.

import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInspect } from '../../src/bin/inspect.ts';
import { runLog } from '../../src/bin/log.ts';
import type { VerbIo } from '../../src/bin/operatorVerb.ts';
import { runVerify } from '../../src/bin/verify.ts';
import { createClient } from '../../src/client/createClient.ts';
import { startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const quiet = ['--feed', 'manual', '--no-market-maker', '--segment-size', '1'];

function recordingIo(): VerbIo & {
  readonly lines: readonly string[];
  readonly printed: () => string;
} {
  const lines: string[] = [];
  return {
    print: (line) => lines.push(line),
    complain: () => {},
    environment: {},
    lines,
    printed: () => lines.join('\n'),
  };
}

type Texts = Readonly<Record<string, string>>;

/** The key that the banner shows. */
function demoKey(output: string): { apiKey: string; secretKey: string } {
  const apiKey = /api key {3}([0-9a-f]{64})/.exec(output)?.[1];
  const secretKey = /secret {4}([0-9a-f]{64})/.exec(output)?.[1];
  return { apiKey: apiKey!, secretKey: secretKey! };
}

test('NUM-1: a first start has markets, prices, quotes and a key, and a second start has them too', async () => {
  using directory = createTemporaryDirectory();
  const data = directory.path;
  const first = await startServer({ data });
  const key = demoKey(first.output());
  const client = createClient({ baseUrl: first.http, ...key });
  const { symbols } = await client.fapi.getExchangeInfo();
  expect(symbols.map(({ symbol, status }) => `${symbol} ${status}`)).toEqual([
    'BTCUSDT TRADING',
    'ETHUSDT TRADING',
    'AVAXUSDT TRADING',
  ]);
  await expect
    .poll(async () => (await client.fapi.getOrderBook({ symbol: 'BTCUSDT' })).asks.length, {
      timeout: 600_000,
    })
    .toBeGreaterThan(0);
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
  expect(await client.fapi.placeOrder(order as never)).toMatchObject({ status: 'FILLED' });
  // Only the demo trades the other markets; the maker takes a bid beyond its price and continues to
  // quote.
  for (const { symbol } of symbols) {
    const trades = () => client.fapi.getTrades({ symbol });
    const seen = async () => (await trades()).length;
    await expect.poll(seen, { timeout: 600_000 }).toBeGreaterThan(symbol === 'BTCUSDT' ? 1 : 0);
  }
  const [index] = (await client.fapi.getPremiumIndex({})) as unknown as Texts[];
  const price = String(Math.round(Number(index!.indexPrice) * 1.005));
  const bid = { ...order, type: 'LIMIT', quantity: '0.11', price, newClientOrderId: 'through' };
  await client.fapi.placeOrder(bid as never);
  const through = { symbol: 'BTCUSDT', origClientOrderId: 'through' };
  const statusOf = async () => (await client.fapi.getOrder(through)).status;
  await expect.poll(statusOf, { timeout: 600_000 }).toBe('FILLED');
  const levels = async () => {
    const { bids, asks } = await client.fapi.getOrderBook({
      symbol: 'BTCUSDT',
      limit: 50,
    } as never);
    return Math.min(bids.length, asks.length);
  };
  await expect.poll(levels, { timeout: 600_000 }).toBeGreaterThanOrEqual(20);
  const [before] = await client.fapi.getBalanceV2();
  expect(Number(before!.balance)).toBeLessThan(100_000);
  expect(await first.stop()).toBe(0);
  expect(readdirSync(join(data, 'snapshots'))).toHaveLength(1);

  const second = await startServer({ data });
  expect(second.errors()).toContain('from the snapshot of batch');
  expect(demoKey(second.output())).toEqual(key);
  const again = createClient({ baseUrl: second.http, ...key });
  const [after] = await again.fapi.getBalanceV2();
  expect(after!.balance).toBe(before!.balance);
  // The market maker, the four of the crowd, the demo account and the fund, each credited once.
  expect(await second.operator.getInvariants()).toMatchObject({
    ok: true,
    figures: { deposits: '19100000' },
  });
  expect(await second.stop()).toBe(0);
});

test('SYM-0: a start in a data directory of another process or chain states the reason and ends', async () => {
  using directory = createTemporaryDirectory();
  using other = createTemporaryDirectory();
  const data = directory.path;
  const server = await startServer({ data: other.path, flags: quiet });
  const taken = startServer({ data: other.path, flags: quiet });
  await expect(taken).rejects.toThrow('in use by another process');
  const chain = [...quiet, '--chain', '42161'];
  const foreign = startServer({ data: other.path, flags: chain });
  await expect(foreign).rejects.toThrow('of chain 43113, not of 42161');
  const unknown = startServer({ data: other.path, flags: ['--chain', '1'] });
  await expect(unknown).rejects.toThrow('--chain takes one');
  const port = Number(new URL(server.http).port);
  const occupied = `Clients cannot be served at --host 127.0.0.1, --port ${port}: another program`;
  await expect(startServer({ data, port, flags: quiet })).rejects.toThrow(occupied);
  expect(await server.stop()).toBe(0);
  const environment = { EVERMARK_MASTER_KEY: 'f'.repeat(64) };
  await expect(startServer({ data, flags: quiet, environment })).rejects.toThrow('master key');
  const recording = ['--feed', 'replay:BTCUSDT=/no/such/file.csv', '--no-market-maker'];
  await expect(startServer({ data, flags: recording })).rejects.toThrow('file.csv');
  const markets = [...quiet, '--markets', '/no/such/markets.json'];
  using fresh = createTemporaryDirectory();
  const wrong = startServer({ data: fresh.path, flags: markets });
  await expect(wrong).rejects.toThrow('The markets cannot be read');
  // Nothing of it prevents a start that can succeed.
  const again = await startServer({ data, port, flags: quiet });
  expect(await again.stop()).toBe(0);
});

test('an incomplete restore is refused: the mark file is demanded, a lost secret store is reported', async () => {
  using directory = createTemporaryDirectory();
  const data = join(directory.path, 'new');
  const first = await startServer({ data, flags: quiet });
  expect(first.errors()).toContain('held no deployment: a new one begins there');
  expect(await first.stop()).toBe(0);
  if (process.platform !== 'win32') expect(statSync(data).mode & 0o777).toBe(0o700);

  const mark = join(data, 'deployment.json');
  const marked = readFileSync(mark);
  rmSync(mark);
  for (const chain of ['43113', '43114']) {
    const unmarked = startServer({ data, flags: [...quiet, '--chain', chain] });
    await expect(unmarked).rejects.toThrow('holds a log but no deployment.json');
  }
  expect(existsSync(mark)).toBe(false);
  writeFileSync(mark, marked);

  for (const name of readdirSync(data)) {
    if (name.startsWith('vault.db')) rmSync(join(data, name));
  }
  const second = await startServer({ data, flags: quiet });
  expect(second.errors()).toContain('does not contain the secrets of 1 of 1 API keys');
  expect(second.errors()).not.toContain('held no deployment');
  expect(await second.stop()).toBe(0);
});

test('a file of markets that stopped at a bad record continues when the record is corrected', async () => {
  using directory = createTemporaryDirectory();
  const data = join(directory.path, 'data');
  const file = join(directory.path, 'markets.json');
  const solana = { symbol: 'SOLUSDT', base_asset: 'SOL', tick_size: '0.01', lot_size: '0.1' };
  const write = (lotSize: string): void => {
    const second = { ...solana, symbol: 'DOGEUSDT', base_asset: 'DOGE', lot_size: lotSize };
    writeFileSync(file, JSON.stringify([solana, second]));
  };
  const flags = [...quiet, '--no-demo', '--markets', file];
  write('some');
  await expect(startServer({ data, flags })).rejects.toThrow(`record 2 of ${file} cannot be`);
  write('1');
  const server = await startServer({ data, flags });
  const { symbols } = await createClient({ baseUrl: server.http }).fapi.getExchangeInfo();
  expect(symbols.map(({ symbol }) => symbol)).toEqual(['SOLUSDT', 'DOGEUSDT']);
  expect(await server.stop()).toBe(0);
});

test('below the minimum of free disk orders are refused as not executed, and cancels still pass', async () => {
  using directory = createTemporaryDirectory();
  const data = directory.path;
  const first = await startServer({ data, flags: quiet });
  const key = demoKey(first.output());
  await first.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  const client = createClient({ baseUrl: first.http, ...key });
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '99000' };
  const { orderId } = await client.fapi.placeOrder(order as never);
  expect(await first.stop()).toBe(0);

  const second = await startServer({ data, flags: [...quiet, '--free-disk-min', '1000000'] });
  await expect.poll(() => second.errors()).toContain('the disk has too little room');
  await second.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  const again = createClient({ baseUrl: second.http, ...key });
  const refused = again.fapi.placeOrder(order as never);
  await expect(refused).rejects.toMatchObject({ status: 503, code: -1008 });
  const cancel = { symbol: 'BTCUSDT', orderId };
  expect(await again.fapi.cancelOrder(cancel as never)).toMatchObject({ status: 'CANCELED' });
  expect(await second.stop()).toBe(0);
});

test('a mainnet deployment has no demo account', async () => {
  using directory = createTemporaryDirectory();
  const flags = [...quiet, '--chain', '56'];
  const server = await startServer({ data: directory.path, flags });
  expect(server.output()).not.toContain('api key');
  expect(await server.operator.getInvariants()).toMatchObject({
    figures: { accounts: 0, deposits: '0' },
  });
  expect(await server.stop()).toBe(0);
});

test('verify, inspect and log report on the files and on damage, with and without a running server', async () => {
  using directory = createTemporaryDirectory();
  const data = directory.path;
  const flag = ['--data', data];
  const server = await startServer({ data, flags: quiet });
  const address = `0x${'3'.repeat(40)}`;
  await server.operator.creditAccount({ address, amount: '12.5', reference: 'damage me' });
  await server.operator.creditAccount({ address, amount: '12.5', reference: 'verify me' });

  const beside = recordingIo();
  expect(await runVerify(flag, beside)).toBe(0);
  const hashes = await server.operator.getStateHash();
  expect(JSON.parse(beside.printed())).toMatchObject({ ok: true, state_hash: hashes.state_hash });
  await expect(runLog(['skip', '1', '0', ...flag], recordingIo())).rejects.toThrow('in use');
  expect(await server.stop()).toBe(0);

  const shown = recordingIo();
  expect(await runInspect(['1', '999', ...flag], shown)).toBe(0);
  const batch = shown.lines.find((line) => line.includes('"reference": "verify me"'));
  const { position } = JSON.parse(batch!);
  expect(await runInspect(['100000', ...flag], recordingIo())).toBe(1);
  await expect(runInspect(['zero', ...flag], recordingIo())).rejects.toThrow('is not a position');
  await expect(runInspect(['5', '3', ...flag], recordingIo())).rejects.toThrow('before FROM');

  const skip = (at: number, index: number) =>
    runLog(['skip', `${at}`, `${index}`, ...flag], recordingIo());
  await expect(skip(position, 0)).rejects.toThrow('has been applied');
  await expect(skip(position, 77)).rejects.toThrow('commands, numbered from 0');
  await expect(skip(99_999, 0)).rejects.toThrow('has no batch');
  // Without a snapshot that has it, replay says whether it stops there.
  const snapshots = join(data, 'snapshots');
  renameSync(snapshots, `${snapshots}.aside`);
  await expect(skip(position, 0)).rejects.toThrow('without stopping: it has been applied');
  renameSync(`${snapshots}.aside`, snapshots);
  expect(await runVerify(flag, recordingIo())).toBe(0);
  await expectDamageFound(data, position);
});

/**
 * verify finds a byte that is wrong in a snapshot, and one in the log; inspect, too, from right
 * before the batch at `behind`.
 */
async function expectDamageFound(data: string, behind: number): Promise<void> {
  const damage = (folder: string, name: RegExp, at: (bytes: Buffer) => number): (() => void) => {
    const file = readdirSync(join(data, folder)).find((entry) => name.test(entry))!;
    const path = join(data, folder, file);
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed[at(bytes)]! ^= 0xff;
    writeFileSync(path, changed);
    return () => writeFileSync(path, bytes);
  };
  const verified = async (): Promise<[number, string]> => {
    const io = recordingIo();
    return [await runVerify(['--data', data], io), io.printed()];
  };
  const repair = damage('snapshots', /\.snap$/, (bytes) => bytes.length - 30);
  expect(await verified()).toEqual([1, expect.stringContaining('cannot be used')]);
  repair();
  expect((await verified())[0]).toBe(0);
  damage('log', /\.segment$/, (bytes) => bytes.indexOf('damage me'));
  expect(await verified()).toEqual([1, expect.stringContaining('damaged')]);
  for (const words of [['1', '999'], [`${behind - 1}`], [`${behind}`]]) {
    const inspected = runInspect([...words, '--data', data], recordingIo());
    await expect(inspected, words[0]).rejects.toThrow('damaged');
  }
}
