// Prices that contracts hold, read over a fake node under virtual time and over loopback: exact
// text, every refusal, dead and frozen nodes, and that the node's address is never shown.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { chainlink } from '../../../src/feeds/sources/chainlink.ts';
import { createContractFeed } from '../../../src/feeds/sources/contractFeed.ts';
import type { ContractOracle, Hex } from '../../../src/feeds/sources/contractOracle.ts';
import { createFetchText } from '../../../src/feeds/sources/fetchText.ts';
import { pyth } from '../../../src/feeds/sources/pyth.ts';
import { systemClock } from '../../../src/std/clock.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { createVirtualTime } from '../../fixtures/virtualTime.ts';
import { createFakeChain, type Published, type Round } from './fakeChain.ts';
import { answered, createFakeWeb, status } from './fakeWeb.ts';
import { readFixture } from './readFixture.ts';

const start = 1_760_000_000_000;
const rpcUrl = 'https://node.example/v3/secret-key';
const bitcoin: Hex = '0x2779d32d5166baaa2b2b658333ba7e6ec0c65743';
const ether: Hex = '0x976b3d034e162d8bd72d6b9c989d545b839003b0';
const feedId: Hex = `0x${'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43'}`;

const heartbeatSeconds = 3600;

function read(oracles: Record<string, ContractOracle>) {
  const time = createVirtualTime(start);
  const web = createFakeWeb();
  const chain = createFakeChain();
  const reports: string[] = [];
  const seconds = (): number => Math.floor(time.clock.now() / 1000);
  chain.blockTime = seconds;
  web.answerWith = ({ url, body }) => {
    expect(url).toBe(rpcUrl);
    return answered(chain.answer(body!));
  };
  const open = () =>
    createContractFeed({
      source: 'oracle',
      rpcUrl,
      oracles: new Map(Object.entries(oracles)),
      heartbeatSeconds,
      fetchText: web.fetchText,
      clock: time.clock,
      scheduler: time.scheduler,
      prng: createPrng(7),
      report: (message) => reports.push(message),
    });
  return { time, web, chain, reports, seconds, open };
}

const round = (more: Partial<Round> = {}): Round => ({
  roundId: 18_446_744_073_709_600_001n,
  answer: 11_502_001_500_000n,
  updatedAt: start / 1000 - 60,
  answeredInRound: 18_446_744_073_709_600_001n,
  decimals: 8,
  ...more,
});

const published = (more: Partial<Published> = {}): Published => ({
  price: 11_502_001_512_345n,
  conf: 4_000_000_000n,
  expo: -8,
  publishTime: start / 1000 - 1,
  ...more,
});

describe('aggregators', () => {
  test.each([
    [{ answer: 11_502_001_500_000n }, '115020.015'],
    [{ answer: 1n, decimals: 18 }, '0.000000000000000001'],
    [{ answer: 115_020n, decimals: 0 }, '115020'],
    [
      { answer: 123_456_789_012_345_678_901_234_567n, decimals: 18 },
      '123456789.012345678901234567',
    ],
    [{ updatedAt: start / 1000 - heartbeatSeconds }, '115020.015'],
    // A proxy counts phases in the upper half: later than any number that a float holds.
    [{ roundId: 2n ** 80n - 1n, answeredInRound: 2n ** 80n - 1n }, '115020.015'],
  ])('%o is %s, exactly', async (more, price) => {
    const { time, chain, reports, open } = read({ BTCUSDT: chainlink(bitcoin) });
    chain.aggregators.set(bitcoin, round(more));
    const feed = open();
    await time.advanceSettling(500);
    expect(feed.poll(time.clock.now())).toEqual([
      { symbol: 'BTCUSDT', source: 'oracle', price, observedAt: start },
    ]);
    expect(reports).toEqual([]);
    await feed.close();
  });

  test.each<[Partial<Round>, string]>([
    [{ answer: 0n }, 'its price is zero or negative'],
    [{ answer: -1n }, 'its price is zero or negative'],
    [{ updatedAt: 0 }, 'its round is not complete'],
    [{ answeredInRound: 18_446_744_073_709_600_000n }, 'it carries over an older round'],
    [{ decimals: 37 }, 'its figures are out of range'],
    [{ answer: 10n ** 41n }, 'its figures are out of range'],
    [{ updatedAt: 2 ** 60 }, 'its figures are out of range'],
    [
      { updatedAt: start / 1000 - heartbeatSeconds - 1 },
      'the contract has not been updated in its time',
    ],
    [{ updatedAt: start / 1000 + 61 }, 'it states a time to come'],
  ])('%o is refused: %s', async (more, problem) => {
    const { time, chain, reports, open } = read({
      BTCUSDT: chainlink(bitcoin),
      ETHUSDT: chainlink(ether),
    });
    chain.aggregators.set(bitcoin, round(more));
    chain.aggregators.set(ether, round({ answer: 421_050_000_000n }));
    const feed = open();
    await time.advanceSettling(900);
    expect(feed.poll(time.clock.now()).map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
    expect(reports).toEqual([`index source oracle: BTCUSDT: ${problem}`]);
    await feed.close();
  });

  test('an address without a contract, and contracts of another kind', async () => {
    const { time, chain, reports, open } = read({
      BTCUSDT: chainlink(bitcoin),
      ETHUSDT: chainlink(ether),
      AVAXUSDT: pyth(ether, feedId),
    });
    chain.strangers.set(ether, `0x${'01'.padStart(64, '0')}`);
    const feed = open();
    await time.advanceSettling(5000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual([
      'index source oracle: BTCUSDT: the contract refuses the call',
      'index source oracle: ETHUSDT: it is no contract of this kind',
      'index source oracle: AVAXUSDT: it is no contract of this kind',
    ]);
    await feed.close();
  });

  test('the calls are those of the contracts', () => {
    const dataOf = ({ calls }: ContractOracle): string[] => calls.map(({ data }) => data);
    expect(dataOf(chainlink(bitcoin))).toEqual(['0xfeaf968c', '0x313ce567']);
    expect(dataOf(pyth(ether, feedId))).toEqual([`0x96834ad3${feedId.slice(2)}`]);
  });

  test('PRC-2: an aggregator without updates stops counting, and counts again after an update', async () => {
    const { time, chain, reports, seconds, open } = read({ BTCUSDT: chainlink(bitcoin) });
    chain.aggregators.set(bitcoin, round({ updatedAt: seconds() - heartbeatSeconds + 10 }));
    const feed = open();
    await time.advanceSettling(10_000);
    expect(feed.poll(time.clock.now())).toHaveLength(1);
    await time.advanceSettling(4000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    chain.aggregators.set(bitcoin, round({ answer: 5n, decimals: 0, updatedAt: seconds() }));
    await time.advanceSettling(1000);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '5' }]);
    expect(reports).toEqual([
      'index source oracle: BTCUSDT: the contract has not been updated in its time',
      'index source oracle: BTCUSDT: works again',
    ]);
    await feed.close();
  });

  test('a node that is behind another one does not restore an older price', async () => {
    const { time, chain, reports, seconds, open } = read({ BTCUSDT: chainlink(bitcoin) });
    const newer = round({ answer: 6n, decimals: 0, updatedAt: seconds() - 1 });
    chain.aggregators.set(bitcoin, newer);
    const feed = open();
    await time.advanceSettling(500);
    chain.aggregators.set(bitcoin, { ...newer, answer: 5n, updatedAt: seconds() - 900 });
    await time.advanceSettling(1000);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '6', observedAt: start }]);
    expect(reports).toEqual(['index source oracle: BTCUSDT: it is older than the one before it']);
    await feed.close();
  });
});

describe('contracts with a confidence interval', () => {
  const oracle = pyth('0x4305FB66699C3B2702D4d05CF36551390A4c69C6', feedId);

  test.each([
    [{}, '115020.01512345'],
    [{ price: 115n, expo: 3, conf: 1n }, '115000'],
    [{ price: 115_020n, expo: 0, conf: 1150n }, '115020'],
    // Exactly 1 % is not too wide.
    [{ price: 1000n, expo: -1, conf: 10n }, '100'],
    [{ price: 2n ** 63n - 1n, expo: -18, conf: 0n }, '9.223372036854775807'],
  ])('%o is %s, exactly', async (more, price) => {
    const { time, chain, open } = read({ BTCUSDT: oracle });
    chain.published.set(feedId, published(more));
    const feed = open();
    await time.advanceSettling(500);
    expect(feed.poll(time.clock.now())).toEqual([
      { symbol: 'BTCUSDT', source: 'oracle', price, observedAt: start },
    ]);
    await feed.close();
  });

  test.each<[Partial<Published>, string]>([
    [{ price: 0n, conf: 0n }, 'its price is zero or negative'],
    [{ price: -5n }, 'its price is zero or negative'],
    [{ price: 1000n, conf: 11n }, 'its confidence interval is over 1 % of the price'],
    [{ conf: 2n ** 64n - 1n }, 'its confidence interval is over 1 % of the price'],
    [{ publishTime: 0 }, 'it has never been published'],
    [{ publishTime: start / 1000 - 3601 }, 'the contract has not been updated in its time'],
    [{ publishTime: start / 1000 + 61 }, 'it states a time to come'],
    [{ expo: -37 }, 'its figures are out of range'],
    [{ expo: 2 ** 31 - 1 }, 'its figures are out of range'],
    [{ expo: -(2 ** 31) }, 'its figures are out of range'],
  ])('%o is refused: %s', async (more, problem) => {
    const { time, chain, reports, open } = read({ BTCUSDT: oracle });
    chain.published.set(feedId, published(more));
    const feed = open();
    await time.advanceSettling(900);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual([`index source oracle: BTCUSDT: ${problem}`]);
    await feed.close();
  });

  test('a feed that the contract does not know', async () => {
    const { time, reports, open } = read({ BTCUSDT: oracle });
    const feed = open();
    await time.advanceSettling(10_000);
    expect(reports).toEqual(['index source oracle: BTCUSDT: the contract refuses the call']);
    await feed.close();
  });
});

describe('the node', () => {
  test('the feed reads the recorded answer of a node', async () => {
    const { time, web, open } = read({ BTCUSDT: chainlink(bitcoin) });
    web.answerWith = () => answered(readFixture('multicall'));
    const feed = open();
    await time.advanceSettling(500);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '115020.015' }]);
    await feed.close();
  });

  test('one request gets all prices of a round, with one round a second', async () => {
    const { time, web, chain, open } = read({
      BTCUSDT: chainlink(bitcoin),
      ETHUSDT: chainlink(ether),
    });
    for (const address of [bitcoin, ether]) chain.aggregators.set(address, round());
    const feed = open();
    await time.advanceSettling(9500);
    expect(web.asked).toHaveLength(10);
    expect(web.underWayMost()).toBe(1);
    expect(feed.poll(time.clock.now())).toHaveLength(2);
    await feed.close();
  });

  test.each([
    ['it answers with status 429', () => status(429)],
    ['it answers with status 401', () => status(401)],
    [
      'it answers with the error -32005',
      () => answered({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: rpcUrl } }),
    ],
    ['the chain has no Multicall3', () => answered({ jsonrpc: '2.0', id: 1, result: '0x' })],
    ['its answer is malformed', () => answered({ jsonrpc: '2.0', id: 1, result: '0x00' })],
    ['its answer is malformed', () => answered({ jsonrpc: '2.0', id: 1, result: rpcUrl })],
    ['its answer is malformed', () => answered({ jsonrpc: '2.0', id: 1 })],
    ['its answer is malformed', () => answered({ jsonrpc: '2.0', id: 1, result: { a: 1 } })],
    ['its answer is malformed', () => answered(`<html>${rpcUrl}</html>`)],
    ['it cannot be reached', () => ({ kind: 'failed', problem: 'it cannot be reached' }) as const],
  ])('%s: its prices end, its address is not shown', async (problem, answer) => {
    const { time, web, chain, reports, open } = read({ BTCUSDT: chainlink(bitcoin) });
    chain.aggregators.set(bitcoin, round());
    const feed = open();
    await time.advanceSettling(500);
    expect(feed.poll(time.clock.now())).toHaveLength(1);
    const well = web.answerWith;
    web.answerWith = answer;
    await time.advanceSettling(20_000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual([`index source oracle: all its prices: the node: ${problem}`]);
    expect(web.asked.length).toBeLessThan(10);
    web.answerWith = well;
    await time.advanceSettling(30_000);
    expect(feed.poll(time.clock.now())).toHaveLength(1);
    expect(reports.join()).not.toMatch(/secret|node\.example|https?:/);
    await feed.close();
  });

  test.each([-61, 61])('a node whose last block is %i s old counts as frozen', async (away) => {
    const { time, chain, reports, seconds, open } = read({ BTCUSDT: chainlink(bitcoin) });
    chain.aggregators.set(bitcoin, round());
    chain.blockTime = () => seconds() + away;
    const feed = open();
    await time.advanceSettling(900);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual([
      'index source oracle: all its prices: the last block and the clock of this machine are a minute apart',
    ]);
    await feed.close();
  });

  test('the whole feed works over loopback with JSON-RPC', async () => {
    const chain = createFakeChain();
    const now = Math.floor(systemClock.now() / 1000);
    chain.blockTime = () => now;
    chain.aggregators.set(bitcoin, round({ updatedAt: now - 5 }));
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => response.end(JSON.stringify(chain.answer(body))));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const feed = createContractFeed({
      source: 'oracle',
      rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`,
      oracles: new Map([['BTCUSDT', chainlink(bitcoin)]]),
      heartbeatSeconds,
      fetchText: createFetchText(600_000),
      clock: systemClock,
      scheduler: systemScheduler,
      prng: createPrng(7),
      report: (message) => expect(message).toBe(''),
    });
    const live = () => feed.poll(systemClock.now());
    while (live().length === 0) await new Promise((done) => setTimeout(done, 20));
    expect(live()).toMatchObject([{ symbol: 'BTCUSDT', price: '115020.015' }]);
    await feed.close();
    server.close();
    server.closeAllConnections();
  });
});
