// Goal: a position that is reversed never opens more than it closes, whatever happens to it while
// the orders are on their way. Method: the page's own orders against a whole exchange; what
// happens meanwhile comes between the person's click and the first order.

import { beforeEach, expect, test } from 'vitest';
import { createAccountCopy } from '../../src/page/state/account.ts';
import { type Market, marketOf } from '../../src/page/state/market.ts';
import { createNotices } from '../../src/page/state/notices.ts';
import { createRequestKeys } from '../../src/page/state/requestKeys.ts';
import type { Requests } from '../../src/page/state/requests.ts';
import { reversePosition } from '../../src/page/state/reversePosition.ts';
import { must } from '../../src/std/assert.ts';
import { setPrice } from '../fixtures/setPrice.ts';
import { alice, bob, operator, useTraders } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';
const bids = ['49900', '48000'];

let market: Market;

/** Alice is long 0.1, and the book has room for much more. */
beforeEach(async () => {
  for (const [side, prices] of [
    ['SELL', ['50100']],
    ['BUY', bids],
  ] as const) {
    for (const price of prices) {
      await bob.native.placeNativeOrder({ symbol, type: 'LIMIT', side, quantity: '1', price });
    }
  }
  await alice.native.placeNativeOrder({ symbol, type: 'MARKET', side: 'BUY', quantity: '0.1' });
  market = marketOf((await alice.native.listNativeMarkets())[0]!);
});

const held = async (): Promise<string> =>
  (await alice.native.listPositions())[0]?.position_amt ?? '0';

/** Keys of no two requests are equal. */
let drawn = 0;

/** Of the page; a step of `between` comes before the order with its number is sent. */
function openPage(between: Readonly<Record<number, () => Promise<unknown>>> = {}) {
  let sent = 0;
  const requests: Requests = {
    ...alice.native,
    placeNativeOrder: async (...order: Parameters<Requests['placeNativeOrder']>) => {
      sent += 1;
      await between[sent]?.();
      return alice.native.placeNativeOrder(...order);
    },
  };
  const requestKeys = createRequestKeys({
    fillRandom: (bytes) => {
      drawn += 1;
      bytes.fill(drawn);
    },
    address: () => alice.address,
  });
  const notices = createNotices({ later: () => {}, now: () => 0 });
  const account = createAccountCopy();
  return { requests, requestKeys, notices, account, sent: () => sent };
}

const position = async () => must((await alice.native.listPositions())[0], 'alice has a position');

/** A stop that sells so much is waiting; the returned step lets the mark reach it. */
async function waitingStop(quantity: string): Promise<() => Promise<void>> {
  await alice.native.placeNativeTrigger({
    ...{ symbol, side: 'SELL', type: 'STOP_MARKET', quantity, reduce_only: true },
    trigger_price: '49500',
  });
  return () => setPrice(operator(), { symbol, price: '49400' });
}

test('a position is closed, and as much is opened on the other side', async () => {
  const page = openPage();
  expect(await reversePosition(page, await position(), market)).toEqual({ kind: 'placed' });
  expect(await held()).toBe('-0.100');
  expect(await reversePosition(page, await position(), market)).toEqual({ kind: 'placed' });
  expect([await held(), page.sent()]).toEqual(['0.100', 4]);
});

test('ORD-6 REDUCE_ONLY_REJECTED: a stop that closes the position first leaves nothing to reverse', async () => {
  const page = openPage({ 1: await waitingStop('0.1') });
  expect(await reversePosition(page, await position(), market)).toMatchObject({
    kind: 'notClosed',
    error: { code: 'REDUCE_ONLY_REJECTED' },
  });
  expect([await held(), page.sent()]).toEqual(['0', 1]);
});

test('one order of twice the size would open twice as much after the stop', async () => {
  const fire = await waitingStop('0.1');
  await fire();
  await alice.native.placeNativeOrder({ symbol, type: 'MARKET', side: 'SELL', quantity: '0.2' });
  expect(await held()).toBe('-0.200');
});

test('ORD-6 a stop that closes a part of it first leaves the other part to reverse', async () => {
  const page = openPage({ 1: await waitingStop('0.06') });
  expect(await reversePosition(page, await position(), market)).toEqual({ kind: 'placed' });
  expect(await held()).toBe('-0.040');
});

test('a position that was reversed elsewhere meanwhile is not made larger', async () => {
  const before = await position();
  const elsewhere = openPage();
  const page = openPage({ 1: () => reversePosition(elsewhere, before, market) });
  expect(await reversePosition(page, before, market)).toMatchObject({ kind: 'notClosed' });
  expect(await held()).toBe('-0.100');
});

test('ORD-2a what the book cannot close is not opened on the other side', async () => {
  const page = openPage({ 1: () => bob.native.cancelAllNativeOrders({ symbol }) });
  expect(await reversePosition(page, await position(), market)).toMatchObject({
    kind: 'closedInPart',
    closed: { executed_qty: '0.000' },
  });
  expect([await held(), page.sent()]).toEqual(['0.100', 1]);
});

test('NAT-7 what would not fill whole, or is forbidden, is known before an order is sent', async () => {
  const page = openPage();
  await bob.native.cancelAllNativeOrders({ symbol });
  const bid = { symbol, type: 'LIMIT', side: 'BUY', quantity: '0.15', price: '49900' } as const;
  await bob.native.placeNativeOrder(bid);
  expect(await reversePosition(page, await position(), market)).toEqual({
    kind: 'tooLarge',
    filled: '0.150',
    whole: '0.200',
  });
  await operator().changeMarket({ symbol, status: 'CLOSE' });
  expect(await reversePosition(page, await position(), market)).toMatchObject({
    kind: 'notClosed',
    error: { code: 'CIRCUIT_OPEN' },
  });
  expect([await held(), page.sent()]).toEqual(['0.100', 0]);
});

test('a second order that is refused leaves no position, and says why', async () => {
  const page = openPage({ 2: () => operator().changeMarket({ symbol, status: 'CLOSE' }) });
  expect(await reversePosition(page, await position(), market)).toMatchObject({
    kind: 'notOpened',
    error: { code: 'CIRCUIT_OPEN' },
  });
  expect(await held()).toBe('0');
});

test('ID-3 an answer that was lost is asked for again, and nothing happens twice', async () => {
  const page = openPage();
  const before = await position();
  const { placeNativeOrder } = page.requests;
  const losing: Requests = {
    ...page.requests,
    placeNativeOrder: async (...order) => {
      await placeNativeOrder(...order);
      throw new TypeError('Failed to fetch');
    },
  };
  expect(await reversePosition({ ...page, requests: losing }, before, market)).toMatchObject({
    kind: 'notClosed',
  });
  expect(await held()).toBe('0');
  expect(await reversePosition(page, before, market)).toEqual({ kind: 'placed' });
  expect(await held()).toBe('-0.100');
});
