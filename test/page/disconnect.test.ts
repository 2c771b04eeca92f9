// Cancel on disconnect on the page, in a real browser: what the switch says happens, and nothing
// without it.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visitorOf } from './creditVisitor.ts';
import { type GuestVisit, useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ quiet: ['BTCUSDT'] });
const symbol = 'BTCUSDT';

const openSwitch = async (page: Page) => {
  await page.getByRole('button', { name: 'Settings' }).click();
  return page.getByRole('dialog').getByLabel('Cancel orders on disconnect');
};

const turn = async (page: Page, isOn: boolean): Promise<void> => {
  const box = await openSwitch(page);
  // It changes when the exchange has confirmed it.
  await box.click();
  await expect.poll(() => box.isChecked()).toBe(isOn);
  await page.keyboard.press('Escape');
};

/** An order, a trigger that opens and a stop-loss of a position; gives what is open by then. */
async function rest({ native }: GuestVisit): Promise<() => Promise<readonly string[]>> {
  const { mark_price: mark } = await native.getTicker({ symbol });
  const at = (part: number): string => String(Math.round(Number(mark) * part));
  await native.placeNativeOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.01',
    price: at(0.9),
  });
  const stop = { symbol, type: 'STOP_MARKET', quantity: '0.01' } as const;
  await native.placeNativeTrigger({ ...stop, side: 'BUY', trigger_price: at(1.2) });
  await native.placeNativeTrigger({
    ...stop,
    side: 'SELL',
    trigger_price: at(0.8),
    reduce_only: true,
  });
  return async () => [
    ...(await native.listNativeOrders({})).map(({ type }) => type),
    ...(await native.listNativeTriggers({})).map(({ side }) => `stop ${side}`).sort(),
  ];
}

const everything = ['LIMIT', 'stop BUY', 'stop SELL'];
const whatStays = ['stop SELL'];

test('COD-7 the page arms its tab when a person switches it on, and again when it comes back', async () => {
  const visit = await stage.openGuest('20000');
  const { page, native, complaints } = visit;
  await native.placeNativeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.02' });
  const open = await rest(visit);
  const sign = page.getByRole('banner').getByText('Orders end with this tab');
  // Off: a reload ends nothing.
  await page.reload();
  await page.getByRole('banner').getByRole('button', { name: /0x/ }).waitFor();
  expect([await sign.count(), await open()]).toEqual([0, everything]);

  await turn(page, true);
  await sign.waitFor();
  await page.reload();
  await expect.poll(open).toEqual(whatStays);
  await sign.waitFor();

  // Another tab is a connection of its own, and it is not armed.
  await native.cancelAllNativeTriggers({});
  await rest(visit);
  const second = await page.context().newPage();
  await second.goto(stage.server.http);
  expect(await (await openSwitch(second)).isChecked()).toBe(false);
  await second.close();
  expect(await open()).toEqual(everything);

  await turn(page, false);
  await expect.poll(() => sign.count()).toBe(0);
  await page.reload();
  await page.getByRole('banner').getByRole('button', { name: /0x/ }).waitFor();
  expect(await open()).toEqual(everything);
  await turn(page, true);
  await page.close();
  await expect.poll(open).toEqual(whatStays);
  expect(complaints).toEqual([]);
  await visit.close();
});

test('COD-4 the switch says what it does, needs a login, and signing out ends the orders', async () => {
  const stranger = await stage.visit();
  const box = await openSwitch(stranger.page);
  expect(await box.isDisabled()).toBe(true);
  const place = await box.getAttribute('aria-describedby');
  const said = await stranger.page.locator(`[id="${place}"]`).textContent();
  expect(said).toContain('Open orders on all markets end');
  expect(said).toContain('Sign in to switch it on.');
  await stranger.close();

  const visit = await stage.openGuest('20000');
  const { page, native, complaints } = visit;
  await native.placeNativeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.02' });
  await rest(visit);
  await turn(page, true);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Guest 0x/ })
    .click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
  // The same wallet comes back, and its tab is armed again.
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await page.getByRole('banner').getByText('Orders end with this tab').waitFor();
  const again = await visitorOf(page, stage.server);
  expect(await again.native.listNativeOrders({})).toEqual([]);
  expect((await again.native.listNativeTriggers({})).map(({ side }) => side)).toEqual(['SELL']);
  expect(complaints).toEqual([]);
  await visit.close();
});

test('COD-3 an account that may not arm a tab learns why, and the switch stays off', async () => {
  const { page, complaints, close } = await stage.openGuest('5');
  const box = await openSwitch(page);
  await box.click();
  await waitForNotice(page, 'Cancel on disconnect is off');
  await expect.poll(() => box.isChecked()).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});
