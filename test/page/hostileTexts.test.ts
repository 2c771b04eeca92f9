// What strangers and operators can name is shown as text in every place. Goal: no element is ever
// made of it, and no policy is broken. Method: the page sees markup wherever the exchange writes a
// harmless word: in the name of a market, a client order id, the label of a key, a referral code.

import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openTrader } from './openTrader.ts';
import { type PlantText, plantText } from './plantText.ts';
import { type GuestVisit, phone, useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ flags: ['--feed', 'manual', '--no-market-maker'] });

const planted: PlantText = { word: 'PLANT', text: '<img src=x onerror=alert(1)>"&amp;' };
const symbol = `${planted.word}USDT`;
/** As the page sees it. */
const shownSymbol = `${planted.text}USDT`;
let maker: Awaited<ReturnType<typeof openTrader>>;

beforeAll(async () => {
  const { operator } = stage.server;
  const grid = { tick_size: '0.1', lot_size: '0.001', max_leverage: 20 };
  await operator.listMarket({ symbol, base_asset: planted.word, ...grid });
  await operator.setIndexPrice({ symbol, price: '100' });
  maker = await openTrader(stage.server, { seed: 81, amount: '100000' });
  for (let level = 1; level <= 5; level += 1) {
    const limit = { symbol, type: 'LIMIT', quantity: '20' } as const;
    await maker.placeNativeOrder({ ...limit, side: 'SELL', price: `${100 + level}` });
    await maker.placeNativeOrder({ ...limit, side: 'BUY', price: `${100 - level}` });
  }
});

/** Prices become old (PRC-2). */
const statePrice = () => stage.server.operator.setIndexPrice({ symbol, price: '100' });

async function openHostile(context = {}): Promise<GuestVisit> {
  await statePrice();
  const visit = await stage.openGuest('20000', {
    context,
    before: async (page) => {
      await plantText(page, planted);
      await page.addInitScript((chosen) => {
        localStorage.setItem('evermark.symbol', JSON.stringify(chosen));
      }, shownSymbol);
    },
  });
  await visit.page
    .getByRole('region', { name: 'Market' })
    .getByText(planted.text)
    .first()
    .waitFor();
  return visit;
}

/** The text is there, as text. */
const shows = (place: Page | Locator, text = shownSymbol): Promise<void> =>
  place.getByText(text).first().waitFor();

const dismiss = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

test('a market with a hostile name is traded, and its name is text on every screen', async () => {
  const { page, native, complaints, close } = await openHostile();
  await page.keyboard.press('Control+k');
  await shows(page.getByRole('dialog'), `${planted.text}-USDT`);
  await dismiss(page);
  await shows(page.getByRole('region', { name: 'Order book' }), `Size (${planted.text})`);

  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  await page.getByLabel('Size').fill('2');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await waitForNotice(page, `Buy 2.000 ${shownSymbol} @`);
  await expect.poll(() => page.title()).toBe(`101.0 ${shownSymbol} · Evermark`);
  const tables = page.getByRole('region', { name: 'Account tables' });
  const position = tables.getByRole('row', { name: shownSymbol });
  await shows(position);
  for (const name of ['Limit', 'Reverse', 'TP/SL'] as const) {
    await position.getByRole('button', { name }).click();
    await shows(page.getByRole('dialog'));
    await dismiss(page);
  }

  const own = {
    symbol,
    side: 'BUY',
    quantity: '1',
    client_order_id: `id-${planted.word}`,
  } as const;
  await native.placeNativeOrder({ ...own, type: 'LIMIT', price: '98' });
  await native.placeNativeTrigger({
    symbol,
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: '1',
    trigger_price: '150',
  });
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await expect.poll(() => tables.getByRole('row', { name: shownSymbol }).count()).toBe(2);
  await page.getByLabel('Rows of market').selectOption(shownSymbol);
  await tables.getByRole('button', { name: 'Cancel all' }).click();
  await shows(page.getByRole('dialog'), `Cancel all: ${shownSymbol}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click();
  await waitForNotice(page, `${shownSymbol}: 2`);
  await page.getByLabel('Rows of market').selectOption('');

  await stage.server.operator.settleFunding({ symbol });
  for (const name of ['Fills', 'Order history', 'Funding', 'Ledger'] as const) {
    await page.getByRole('tab', { name, exact: true }).click();
    await shows(tables.getByRole('region', { name }));
  }
  await page.getByRole('tab', { name: 'Order history' }).click();
  await shows(tables, `id-${planted.text}`);
  await page.getByRole('button', { name: /^Notices/ }).click();
  await shows(page.getByRole('dialog'));
  expect(complaints).toEqual([]);
  await close();
});

test('labels of keys, referral codes and markets are text in the views of the account', async () => {
  const { page, native, complaints, close } = await openHostile();
  await native.createApiKey({ label: `key ${planted.word}` });
  await native.setReferralCode({ code: `${planted.word}CODE` });
  await page.getByRole('banner').getByRole('button', { name: /0x/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Account' });
  for (const [view, text] of [
    ['API keys', `key ${planted.text}`],
    ['Referral', `${planted.text}CODE`],
    ['Fees', shownSymbol],
  ] as const) {
    await dialog.getByRole('tab', { name: view, exact: true }).click();
    await shows(dialog, text);
  }
  expect(complaints).toEqual([]);
  await close();
});

test('a refusal that names what was sent is text', async () => {
  const { page, complaints, close } = await openHostile();
  await page.route('**/api/v1/orders', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          json: {
            success: false,
            data: null,
            error: { code: 'INVALID_PARAMETER', message: `${shownSymbol} is not a symbol.` },
            timestamp: 0,
          },
        })
      : route.fallback(),
  );
  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  await page.getByLabel('Size').fill('2');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await shows(page, `${shownSymbol} is not a symbol.`);
  expect(complaints).toEqual([]);
  await close();
});

test('a hostile name makes nothing wider than a phone', async () => {
  const { page, complaints, close } = await openHostile(phone);
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const view of ['Chart', 'Book', 'Trade', 'Account']) {
    await views.getByRole('button', { name: view }).click();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, view).toBe(0);
  }
  expect(complaints).toEqual([]);
  await close();
});
