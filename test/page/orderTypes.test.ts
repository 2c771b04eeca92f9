// Every type of order, placed by clicking in a real browser: the engine's record is what was typed,
// a refusal is said at its field, and the preview has the figures that the order then leaves.

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { previewDistanceMs } from '../../src/page/ticket/previewer.ts';
import { type GuestVisit, useStage } from './useStage.ts';

const stage = useStage({ quiet: ['BTCUSDT'] });
let visit: GuestVisit;
let native: GuestVisit['native'];

beforeAll(async () => {
  visit = await stage.openGuest('40000', { context: { timezoneId: 'UTC' } });
  ({ native } = visit);
});

/** In the ticket, by the names that a person reads. */
type Entry = {
  readonly tab: string;
  readonly press?: string;
  readonly check?: readonly string[];
  readonly select?: Readonly<Record<string, string>>;
  readonly fill?: Readonly<Record<string, string>>;
  readonly send: 'Buy / Long' | 'Sell / Short';
};

/** What an earlier order has left: an order that only reduces has no legs. */
async function uncheckAll(ticket: Locator): Promise<void> {
  for (const box of await ticket.getByRole('checkbox', { checked: true }).all()) {
    await box.uncheck();
  }
}

async function enter(page: Page, entry: Entry): Promise<void> {
  const { tab, press, check = [], select = {}, fill = {}, send } = entry;
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('tab', { name: tab, exact: true }).click();
  await uncheckAll(ticket);
  if (press !== undefined) await ticket.getByRole('button', { name: press }).click();
  for (const name of check) await ticket.getByLabel(name).check();
  for (const [name, value] of Object.entries(select)) {
    await ticket.getByLabel(name).selectOption({ label: value });
  }
  for (const [name, value] of Object.entries(fill)) {
    await ticket.getByLabel(name, { exact: true }).fill(value);
  }
  await ticket.getByRole('button', { name: send }).click();
}

const shown = (amount: number): string =>
  amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** In three days, in whole minutes. */
const goodTill = new Date(Math.ceil(Date.now() / 60_000 + 4320) * 60_000);

const size = { Size: '0.05' };
const own = { symbol: 'BTCUSDT', orig_qty: '0.050' };

describe('orders', () => {
  const placed: readonly [string, Entry, Readonly<Record<string, unknown>>][] = [
    [
      'limit',
      { tab: 'Limit', fill: { Price: '100000.5', ...size }, send: 'Buy / Long' },
      { ...own, type: 'LIMIT', side: 'BUY', price: '100000.5', time_in_force: 'GTC' },
    ],
    [
      'limit, post only, own orders cancelled',
      {
        tab: 'Limit',
        select: { 'Time in force': 'Post only' },
        fill: { Price: '130 000', ...size },
        send: 'Sell / Short',
      },
      // A GTX that rests reads GTC (ORD-2).
      { ...own, type: 'LIMIT', side: 'SELL', price: '130000.0', status: 'NEW' },
    ],
    [
      'limit, at once or not at all',
      {
        tab: 'Limit',
        select: { 'Time in force': 'IOC' },
        fill: { Price: '100000', ...size },
        send: 'Buy / Long',
      },
      { ...own, status: 'CANCELED', time_in_force: 'IOC', cancel_reason: 'IOC' },
    ],
    [
      'limit, all or nothing',
      {
        tab: 'Limit',
        select: { 'Time in force': 'FOK' },
        fill: { Price: '100000', ...size },
        send: 'Buy / Long',
      },
      { ...own, status: 'REJECTED', time_in_force: 'FOK' },
    ],
    [
      'limit with a protection',
      {
        tab: 'Limit',
        check: ['TP/SL'],
        fill: {
          Price: '100000',
          ...size,
          'Take profit at': '120000',
          'Stop loss at': '90000',
          'SL limit': '89000',
        },
        send: 'Buy / Long',
      },
      { ...own, price: '100000.0', take_profit_id: expect.any(String) },
    ],
    [
      'market with a bound',
      { tab: 'Market', fill: { ...size, 'Max. slippage': '3' }, send: 'Buy / Long' },
      { ...own, type: 'MARKET', status: 'FILLED' },
    ],
    [
      'market that only reduces',
      { tab: 'Market', check: ['Reduce only'], fill: { Size: '0.01' }, send: 'Sell / Short' },
      { type: 'MARKET', side: 'SELL', orig_qty: '0.010', reduce_only: true, status: 'FILLED' },
    ],
  ];

  test.each(placed)('%s', async (_name, entry, record) => {
    const { page, complaints } = visit;
    const answer = page.waitForResponse(
      (response) => response.url().endsWith('/api/v1/orders') && response.status() === 200,
    );
    await enter(page, entry);
    const { order_id: id } = (await (await answer).json()) as { readonly order_id: string };
    expect(await native.getNativeOrder({ id })).toMatchObject(record);
    await expect.poll(() => page.getByLabel('Size').inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('the legs of the order with a protection are those that were typed', async () => {
    const orders = await native.listNativeOrders({});
    const parent = orders.find(({ take_profit_id: id }) => id !== undefined)!;
    const legs = [parent.take_profit_id, parent.stop_loss_id].map((id) =>
      native.getNativeTrigger({ id: id! }),
    );
    expect(await Promise.all(legs)).toMatchObject([
      { order_type: 'TAKE_PROFIT_MARKET', side: 'SELL', trigger_price: '120000.0' },
      { order_type: 'STOP', side: 'SELL', trigger_price: '90000.0', price: '89000.0' },
    ]);
  });
});

test.each([
  ['Buy / Long', '100000', ['SELL', '102000.0', '98500.0']],
  ['Sell / Short', '130000', ['BUY', '127400.0', '131950.0']],
] as const)(
  'legs in percent: one ticket fits %s, and says what they would bring',
  async (send, price, [side, profit, loss]) => {
    const { page } = visit;
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByRole('tab', { name: 'Limit', exact: true }).click();
    await uncheckAll(ticket);
    const legs = ticket.getByLabel('TP/SL');
    await legs.check();
    await ticket.getByRole('button', { name: 'In percent' }).click();
    const typed = { Price: price, ...size, 'Take profit at': '2', 'Stop loss at': '1,5' };
    for (const [name, value] of Object.entries(typed)) {
      await ticket.getByLabel(name, { exact: true }).fill(value);
    }
    const value = Number(price) * 0.05;
    const leverage = Number(await ticket.getByLabel('Leverage').inputValue());
    const expected = ticket.locator('.ticket-expected');
    await expected.getByText(`+${shown(value * 0.02)} (+${shown(2 * leverage)}%)`).waitFor();
    await expected.getByText(`-${shown(value * 0.015)} (-${shown(1.5 * leverage)}%)`).waitFor();
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/v1/orders'));
    await ticket.getByRole('button', { name: send }).click();
    const placed = (await (await answer).json()) as Readonly<Record<string, string>>;
    const idOf = [placed.take_profit_id, placed.stop_loss_id];
    const triggers = await Promise.all(idOf.map((id) => native.getNativeTrigger({ id: id! })));
    expect(triggers).toMatchObject([
      { order_type: 'TAKE_PROFIT_MARKET', side, trigger_price: profit },
      { order_type: 'STOP_MARKET', side, trigger_price: loss },
    ]);
    await expect.poll(() => legs.isChecked()).toBe(false);
  },
);

describe('triggers', () => {
  const quantity = '0.050';
  const placed: readonly [string, Entry, Readonly<Record<string, unknown>>][] = [
    [
      'stop market',
      {
        tab: 'Stop',
        press: 'Market order',
        fill: { Trigger: '140000', ...size },
        send: 'Buy / Long',
      },
      { order_type: 'STOP_MARKET', side: 'BUY', trigger_price: '140000.0', quantity },
    ],
    [
      'stop limit until a date',
      {
        tab: 'Stop',
        press: 'Limit order',
        select: { 'Time in force': 'GTD' },
        fill: {
          Trigger: '90000',
          Price: '89990.5',
          ...size,
          'Until (local time)': goodTill.toISOString().slice(0, 16),
        },
        send: 'Sell / Short',
      },
      {
        order_type: 'STOP',
        side: 'SELL',
        trigger_price: '90000.0',
        price: '89990.5',
        quantity,
        time_in_force: 'GTD',
        good_till_date: goodTill.getTime(),
      },
    ],
    [
      'stop that closes the position',
      {
        tab: 'Stop',
        press: 'Market order',
        check: ['Whole position'],
        fill: { Trigger: '91000' },
        send: 'Sell / Short',
      },
      { order_type: 'STOP_MARKET', trigger_price: '91000.0', close_position: true },
    ],
    [
      'take-profit market that only reduces',
      {
        tab: 'Take profit',
        press: 'Market order',
        check: ['Reduce only'],
        fill: { Trigger: '140000', Size: '0.02' },
        send: 'Sell / Short',
      },
      { order_type: 'TAKE_PROFIT_MARKET', reduce_only: true, quantity: '0.020' },
    ],
    [
      'take-profit limit',
      {
        tab: 'Take profit',
        press: 'Limit order',
        fill: { Trigger: '95000', Price: '95100', ...size },
        send: 'Buy / Long',
      },
      { order_type: 'TAKE_PROFIT', trigger_price: '95000.0', price: '95100.0', quantity },
    ],
    [
      'trailing stop with an activation',
      {
        tab: 'Trailing',
        fill: { Callback: '2.5', Activation: '140000', ...size },
        send: 'Sell / Short',
      },
      {
        order_type: 'TRAILING_STOP_MARKET',
        callback_rate: '2.5',
        activate_price: '140000.0',
        quantity,
      },
    ],
  ];

  test.each(placed)('%s', async (_name, entry, record) => {
    const { page, complaints } = visit;
    const answer = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/v1/triggers') && response.request().method() === 'POST',
    );
    await enter(page, entry);
    const { algo_id: id } = (await (await answer).json()) as { readonly algo_id: string };
    expect(await native.getNativeTrigger({ id })).toMatchObject({ symbol: 'BTCUSDT', ...record });
    expect(complaints).toEqual([]);
  });
});

test.each([
  [
    'a post-only order that would fill',
    {
      tab: 'Limit',
      select: { 'Time in force': 'Post only' },
      fill: { Price: '118000', ...size },
      send: 'Buy / Long',
    },
    'Price',
    'A post-only order at this price would be filled at once.',
  ],
  [
    'a stop behind the mark',
    { tab: 'Stop', press: 'Market order', fill: { Trigger: '90000', ...size }, send: 'Buy / Long' },
    'Trigger',
    'The mark is there already. Choose a price ahead of it.',
  ],
  [
    'more than the money is for',
    { tab: 'Limit', fill: { Price: '100000', Size: '9.9' }, send: 'Buy / Long' },
    'Size',
    'The available balance is too small.',
  ],
  [
    'a bound of slippage that the book does not keep',
    { tab: 'Market', fill: { Size: '0.2', 'Max. slippage': '0.01' }, send: 'Buy / Long' },
    'Max. slippage',
    'The price would move too far for this order.',
  ],
] as const)(
  '%s is refused at its field, and the ticket keeps it',
  async (_name, entry, at, said) => {
    const { page } = visit;
    await enter(page, entry);
    const field = page
      .getByRole('region', { name: 'Order', exact: true })
      .getByLabel(at, { exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const place = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${place}"]`).textContent()).toBe(said);
    expect(await page.getByLabel('Size').inputValue()).not.toBe('');
    // What was typed next is judged anew.
    await page.getByLabel('Size').fill('0.01');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('false');
  },
);

test('the preview is what the order leaves, and asks seldom', async () => {
  const { page } = visit;
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('tab', { name: 'Limit', exact: true }).click();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/orders/preview')) asked += 1;
  });
  const beganAt = performance.now();
  await ticket.getByLabel('Price').fill('100000');
  await ticket.getByLabel('Size').fill('');
  for (const digit of '0.111') await ticket.getByLabel('Size').press(digit);
  const table = ticket.getByRole('table', { name: 'Before you send' });
  await table.getByRole('row', { name: /^Margin/ }).waitFor();
  // Two sides, once: typing five digits is one question, unless a busy machine types slowly.
  const questions = 2 + Math.floor((performance.now() - beganAt) / previewDistanceMs);
  expect(asked).toBeLessThanOrEqual(2 * questions);
  const preview = await native.previewNativeOrder({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.111',
    price: '100000',
  });
  const cells = await table
    .getByRole('row', { name: /^Margin/ })
    .getByRole('cell')
    .allTextContents();
  expect(cells[0]).toBe(Number(preview.margin).toFixed(2));
});

test('a stop beyond the liquidation price is warned of', async () => {
  const { page } = visit;
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('tab', { name: 'Market', exact: true }).click();
  await ticket.getByLabel('Max. slippage').fill('');
  await ticket.getByLabel('Size').fill('0.4');
  await ticket.getByLabel('TP/SL').check();
  await ticket.getByRole('button', { name: 'At a price' }).click();
  await ticket.getByLabel('Stop loss at').fill('20000');
  await ticket.getByText(/^Liquidation comes first, at/).waitFor();
});

test('leverage and margin mode are read and changed, and refused where they are', async () => {
  const { page, complaints } = visit;
  const leverage = page.getByLabel('Leverage', { exact: true });
  await expect.poll(() => leverage.inputValue()).toBe('20');
  await leverage.fill('7');
  await leverage.press('Enter');
  await expect
    .poll(async () => (await native.getNativeAccount()).markets.map((each) => each.leverage)[0])
    .toBe(7);
  await leverage.fill('999');
  await page.getByText('A whole number from 1 to 50.').waitFor();
  await leverage.press('Enter');
  await expect.poll(() => leverage.inputValue()).toBe('7');
  await page.getByLabel('Margin mode').selectOption({ label: 'Isolated' });
  await page.getByText('Cancel your open orders first.').waitFor();
  await expect.poll(() => page.getByLabel('Margin mode').inputValue()).toBe('cross');
  expect(complaints).toEqual([]);
});

test('hotkeys do nothing until they are switched on, and then fill and send the ticket', async () => {
  const { page, complaints } = visit;
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('tab', { name: 'Market', exact: true }).click();
  await page.keyboard.press('l');
  await ticket.getByRole('tab', { name: 'Market', exact: true, selected: true }).waitFor();
  await page.getByRole('button', { name: 'Hotkeys' }).click();
  const list = page.getByRole('dialog', { name: 'Hotkeys' });
  await list.getByText('Send the ticket as a buy').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Hotkeys').check();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.keyboard.press('l');
  await ticket.getByRole('tab', { name: 'Limit', exact: true, selected: true }).waitFor();
  await page.keyboard.press('p');
  await page.keyboard.type('99000.5');
  await page.keyboard.press('z');
  // Digits are the text of the field, letters are keys there too.
  await page.keyboard.type('0.02');
  await page.keyboard.press('Shift+B');
  await expect
    .poll(async () => (await native.listNativeOrders({})).map(({ price }) => price))
    .toContain('99000.5');
  await page.keyboard.press('Shift+X');
  await expect.poll(() => native.listNativeOrders({})).toEqual([]);
  await expect.poll(() => native.listNativeTriggers({})).toEqual([]);
  expect(complaints).toEqual([]);
});
