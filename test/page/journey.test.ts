// The whole way of a person who has never been here, in a real browser against the real program:
// sign in, play money, a limit order, a market order, a stop with an attached take-profit, a drag
// on the chart, the close, and the past. Each step is compared with the record of the engine.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ofHistory } from '../fixtures/ofHistory.ts';
import { createWallet } from '../identity/wallet.ts';
import { visitorOf } from './creditVisitor.ts';
import { injectWallet } from './injectWallet.ts';
import type { Visit } from './openVisit.ts';
import { useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ quiet: ['BTCUSDT'] });
const symbol = 'BTCUSDT';

type Native = Awaited<ReturnType<typeof visitorOf>>['native'];

const asGuest = async (): Promise<Visit> => {
  const visit = await stage.visit();
  await visit.page.getByRole('button', { name: 'Try without a wallet' }).click();
  return visit;
};

const withWallet = async (): Promise<Visit> => {
  const wallet = createWallet(77);
  const visit = await stage.visit({
    before: (blank) => injectWallet(blank, { wallet, name: 'Test Wallet', chainId: 1 }),
  });
  await visit.page.getByRole('button', { name: 'Connect wallet' }).click();
  await visit.page.getByRole('button', { name: 'Test Wallet' }).click();
  return visit;
};

const ticketOf = (page: Page): Locator => page.getByRole('region', { name: 'Order', exact: true });
const tablesOf = (page: Page): Locator => page.getByRole('region', { name: 'Account tables' });

const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('tab', { name, exact: true }).click();

/** Types into the ticket by the names that a person reads, and sends it. */
async function send(
  page: Page,
  tab: string,
  { values, side }: { readonly values: Readonly<Record<string, string>>; readonly side: string },
): Promise<void> {
  const ticket = ticketOf(page);
  await ticket.getByRole('tab', { name: tab, exact: true }).click();
  const legs = ticket.getByLabel('TP/SL');
  if ('Take profit at' in values) await legs.check();
  for (const [name, value] of Object.entries(values)) {
    await ticket.getByLabel(name, { exact: true }).fill(value);
  }
  await ticket.getByRole('button', { name: side }).click();
  await expect.poll(() => ticket.getByLabel('Size', { exact: true }).inputValue()).toBe('');
}

async function takePlayMoney(page: Page, native: Native): Promise<void> {
  expect(await native.listBalances()).toMatchObject([{ balance: '0' }]);
  await page.getByRole('button', { name: 'Get play money' }).click();
  await waitForNotice(page, 'Play money credited');
  const [deposit] = await ofHistory(native.listDeposits);
  expect(await native.listBalances()).toMatchObject([{ balance: deposit?.amount }]);
}

/** A bid a little below the mark; gives its id. */
async function placeLimit(page: Page, native: Native): Promise<string> {
  const { mark_price: mark } = await native.getTicker({ symbol });
  const price = String(Math.round(Number(mark) * 0.988));
  await send(page, 'Limit', { values: { Price: price, Size: '0.015' }, side: 'Buy / Long' });
  const orders = await native.listNativeOrders({});
  expect(orders).toMatchObject([
    { type: 'LIMIT', side: 'BUY', price: `${price}.0`, orig_qty: '0.015', status: 'NEW' },
  ]);
  return orders[0]!.order_id;
}

async function buyAtMarket(page: Page, native: Native): Promise<void> {
  await send(page, 'Market', { values: { Size: '0.02' }, side: 'Buy / Long' });
  await openTab(page, 'Positions');
  await tablesOf(page).getByRole('table').getByText('0.020 BTC').waitFor();
  expect(await native.listPositions({})).toMatchObject([{ symbol, position_amt: '0.020' }]);
}

async function placeStop(page: Page, native: Native): Promise<string> {
  await ticketOf(page).getByRole('tab', { name: 'Stop', exact: true }).click();
  await ticketOf(page).getByRole('button', { name: 'Market order' }).click();
  const values = { Trigger: '140000', Size: '0.01', 'Take profit at': '150000.5' };
  await send(page, 'Stop', { values, side: 'Buy / Long' });
  const [stop] = await native.listNativeTriggers({});
  expect(stop).toMatchObject({
    order_type: 'STOP_MARKET',
    side: 'BUY',
    trigger_price: '140000.0',
    quantity: '0.010',
    algo_status: 'NEW',
  });
  expect(await native.getNativeTrigger({ id: stop!.take_profit_id! })).toMatchObject({
    order_type: 'TAKE_PROFIT_MARKET',
    side: 'SELL',
    trigger_price: '150000.5',
    algo_status: 'PENDING',
    parent_id: stop!.algo_id,
  });
  return stop!.algo_id;
}

/** Drags the line of the order upwards, and confirms what the page asks. */
async function dragOrder(page: Page, native: Native, id: string): Promise<void> {
  const before = (await native.getNativeOrder({ id })).price;
  const handle = page.getByRole('button', { name: /^Buy 0\.015 at/ });
  await handle.waitFor();
  const box = (await handle.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30, { steps: 4 });
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'Change the order?' });
  const asked = await dialog.getByText(/^From/).textContent();
  const [from, to] = [...(asked ?? '').matchAll(/[\d,]+\.\d/g)].map(([text]) =>
    text.replaceAll(',', ''),
  );
  expect(from).toBe(before);
  expect(Number(to)).toBeGreaterThan(Number(from));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(async () => (await native.getNativeOrder({ id })).price).toBe(to);
}

async function closePosition(page: Page, native: Native): Promise<void> {
  await openTab(page, 'Positions');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('No open positions.').waitFor();
  expect(await native.listPositions({})).toEqual([]);
}

/** Cancels the row of the open orders that has this text. */
async function cancelRow(page: Page, text: string): Promise<void> {
  await openTab(page, 'Open orders');
  const row = tablesOf(page).getByRole('row').filter({ hasText: text });
  await row.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect.poll(() => row.count()).toBe(0);
}

/** The tables of the past have what the exchange has: each ended order and stop, each fill. */
async function expectPast(page: Page, native: Native, limitId: string): Promise<void> {
  const rows = tablesOf(page).getByRole('table').getByRole('row');
  const ended = await ofHistory(() => native.listNativeOrders({ status: 'CANCELED' }));
  const filled = await ofHistory(() => native.listNativeOrders({ status: 'FILLED' }));
  expect(ended.map(({ order_id }) => order_id)).toContain(limitId);
  expect(filled.map(({ side, orig_qty: size }) => `${side} ${size}`)).toEqual([
    'BUY 0.020',
    'SELL 0.020',
  ]);
  await openTab(page, 'Order history');
  // The head is a row too.
  await expect.poll(() => rows.count()).toBe(ended.length + filled.length + 1);
  const { price } = await native.getNativeOrder({ id: limitId });
  const shown = Number(price).toLocaleString('en-GB', { minimumFractionDigits: 1 });
  await rows.filter({ hasText: 'by you' }).filter({ hasText: shown }).waitFor();
  await openTab(page, 'Stop history');
  // The take-profit that the stop would have brought ends with it.
  const stops = await Promise.all(
    (['CANCELED', 'EXPIRED'] as const).map((status) =>
      ofHistory(() => native.listNativeTriggers({ status })),
    ),
  );
  expect(stops.flat()).toHaveLength(2);
  await expect.poll(() => rows.count()).toBe(2 + 1);
  await rows.filter({ hasText: 'Stop market' }).filter({ hasText: 'Cancelled' }).waitFor();
  await openTab(page, 'Fills');
  const fills = await ofHistory(() => native.listFills({ symbol }));
  await expect.poll(() => rows.count()).toBe(fills.length + 1);
}

describe.each([
  ['a guest wallet', asGuest],
  ['an injected wallet that signs', withWallet],
])('%s', (_who, signIn) => {
  test('play money, limit, market, a stop with a take-profit, a drag, the close, the past', async () => {
    const { page, complaints, close } = await signIn();
    const { native } = await visitorOf(page, stage.server);
    await takePlayMoney(page, native);
    const limit = await placeLimit(page, native);
    await buyAtMarket(page, native);
    const stop = await placeStop(page, native);
    await dragOrder(page, native, limit);
    await closePosition(page, native);
    await cancelRow(page, 'Limit');
    await cancelRow(page, 'Stop');
    expect(await native.getNativeTrigger({ id: stop })).toMatchObject({ algo_status: 'CANCELED' });
    expect(await native.listNativeOrders({})).toEqual([]);
    expect(await native.listNativeTriggers({})).toEqual([]);
    await expectPast(page, native, limit);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Names by which a script of a stranger finds its way; they do not change. */
const named = {
  button: ['Connect wallet', 'Try without a wallet', 'Buy / Long', 'Sell / Short'],
  buttonOfRow: ['Cancel', 'Close'],
  field: ['Price', 'Size', 'Leverage'],
  tab: ['Positions', 'Open orders', 'Fills'],
  region: ['Order book', 'Trades', 'Chart', 'Order'],
} as const;

test('everything that a script needs has its accessible name', async () => {
  const { page, complaints, close } = await stage.visit();
  const [connect, guest, buy, sell] = named.button;
  for (const name of [connect, guest]) {
    await page.getByRole('button', { name, exact: true }).first().waitFor();
  }
  for (const name of named.region) {
    await page.getByRole('region', { name, exact: true }).waitFor();
  }
  for (const name of named.tab) await page.getByRole('tab', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: guest, exact: true }).first().click();
  const { native } = await visitorOf(page, stage.server);
  for (const name of [buy, sell]) {
    await page.getByRole('button', { name, exact: true }).waitFor();
  }
  for (const name of named.field) await page.getByLabel(name, { exact: true }).waitFor();
  await takePlayMoney(page, native);
  await placeLimit(page, native);
  await buyAtMarket(page, native);
  const [cancel, closing] = named.buttonOfRow;
  await page.getByRole('button', { name: closing, exact: true }).waitFor();
  await openTab(page, 'Open orders');
  await page.getByRole('button', { name: cancel, exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
