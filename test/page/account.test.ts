// The account beside trading, in a real browser against the real program: the tables of the past,
// API keys, sessions, referral, fees, deposits and withdrawals. What others named stays text.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import { createWallet } from '../identity/wallet.ts';
import { creditVisitor } from './creditVisitor.ts';
import { injectWallet } from './injectWallet.ts';
import { type GuestVisit, useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ quiet: ['BTCUSDT', 'ETHUSDT'] });

const symbol = 'BTCUSDT';
const evil = '<img src=x onerror=alert(1)>';

const openGuest = (money = '50000'): Promise<GuestVisit> => stage.openGuest(money);

const openView = async (page: Page, view: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Account' });
  if (!(await dialog.isVisible())) {
    await page.getByRole('banner').getByRole('button', { name: /0x/ }).click();
  }
  await dialog.getByRole('tab', { name: view, exact: true }).click();
};

const openTable = async (page: Page, tab: string) => {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  return page.getByRole('region', { name: tab, exact: true });
};

/** The texts of a column, from the first row on. */
const column = (page: Page, index: number): Promise<string[]> =>
  page.getByRole('tabpanel').locator(`tbody td:nth-child(${index})`).allTextContents();

test('the tables show what history has: sorted, of one market, and further rows below', async () => {
  const { page, native, complaints, close } = await openGuest();
  // The book stands above the index, so longs pay.
  await stage.server.operator.setIndexPrice({ symbol, price: '114000' });
  for (const market of [symbol, 'ETHUSDT']) {
    for (const side of ['BUY', 'SELL'] as const) {
      await native.placeNativeOrder({ symbol: market, side, type: 'MARKET', quantity: '0.02' });
    }
    await native.placeNativeOrder({
      symbol: market,
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
    });
  }
  const named = { symbol, side: 'BUY', type: 'LIMIT', price: '100000', quantity: '0.01' } as const;
  const { order_id: id } = await native.placeNativeOrder({ ...named, client_order_id: 'mine-1' });
  await native.cancelNativeOrder({ id });
  await stage.server.operator.settleFunding({ symbol });

  const orders = await openTable(page, 'Order history');
  await orders.getByText('mine-1').waitFor();
  await orders.getByText('by you').waitFor();
  expect((await column(page, 2)).length).toBe(7);
  await page.getByLabel('Rows of market').selectOption('ETHUSDT');
  await expect.poll(() => column(page, 2)).toEqual(Array(3).fill('ETHUSDT'));
  await page.getByLabel('Rows of market').selectOption('');

  const funding = await openTable(page, 'Funding');
  await funding.getByRole('table').getByText(symbol).waitFor();
  const [paid] = await native.listFundingPayments();
  expect(paid).toMatchObject({ symbol, position_side: 'LONG' });

  const ledger = await openTable(page, 'Ledger');
  await ledger.getByText('Trading fee').first().waitFor();
  const rows = await native.listLedger();
  await expect.poll(async () => (await column(page, 1)).length).toBe(rows.length);
  await ledger.getByRole('button', { name: 'Amount' }).click();
  await expect.poll(async () => (await column(page, 4))[0]).toBe('+50,000.0000');
  await ledger.getByRole('button', { name: 'Amount' }).click();
  await expect.poll(async () => (await column(page, 4)).at(-1)).toBe('+50,000.0000');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('evermark-ledger.csv');
  const csv = await download.createReadStream();
  const lines = (await csv.toArray()).join('').split('\r\n');
  expect(lines.length).toBe(rows.length + 1);
  expect(complaints).toEqual([]);
  await close();
});

test('a list of many rows draws few of them, and reads earlier ones as one scrolls', async () => {
  const { page, native, complaints, close } = await openGuest();
  const limit = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01' } as const;
  const placed = Array.from({ length: 130 }, (_, n) => ({ ...limit, price: String(90_000 + n) }));
  for (let from = 0; from < placed.length; from += 5) {
    await native.placeNativeBatch({ orders: placed.slice(from, from + 5) });
    await native.cancelAllNativeOrders({ symbol });
  }
  const orders = await openTable(page, 'Order history');
  await orders.getByText('90,129.0').waitFor();
  expect((await column(page, 1)).length).toBeLessThan(60);
  await orders.focus();
  await page.keyboard.press('End');
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return (await column(page, 5)).includes('90,000.0');
    })
    .toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('an API key is made, its secret shown once, its label stays text, and it trades until it ends', async () => {
  const { page, native, complaints, close } = await openGuest();
  await openView(page, 'API keys');
  await page.getByText('You have no API keys.').waitFor();
  await page.getByLabel('Label').fill(evil);
  await page.getByLabel('IP addresses').fill('not an address');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('The list of addresses is malformed.').waitFor();
  await page.getByLabel('IP addresses').fill('127.0.0.1, ::1');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const apiKey = await page.getByLabel('Key', { exact: true }).inputValue();
  const secretKey = await page.getByLabel('Secret', { exact: true }).inputValue();
  const { fapi } = createClient({ baseUrl: stage.server.http, apiKey, secretKey });
  expect(await fapi.getPositionMode()).toEqual({ dualSidePosition: false });
  await page.getByRole('button', { name: 'I have kept the secret' }).click();
  const keys = page.getByRole('region', { name: 'API keys' });
  await keys.getByText(evil).waitFor();
  expect(await page.getByText(secretKey).count()).toBe(0);
  expect((await native.listApiKeys())[0]).toMatchObject({ ip_whitelist: '127.0.0.1,::1' });

  await keys.getByRole('button', { name: 'Disable' }).click();
  await keys.getByText('Disabled').waitFor();
  await expect(fapi.getPositionMode()).rejects.toMatchObject({ code: 'API_KEY_DISABLED' });
  await keys.getByRole('button', { name: 'Revoke' }).click();
  await keys.getByRole('button', { name: 'Revoke for good?' }).click();
  await page.getByText('You have no API keys.').waitFor();
  expect(await native.listApiKeys()).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('AUTH-12 a new key needs a fresh signature, and the login goes on', async () => {
  const wallet = createWallet(51);
  const { page, complaints, close } = await stage.visit({
    before: (blank) => injectWallet(blank, { wallet, name: 'Test Wallet', chainId: 1 }),
  });
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await creditVisitor(page, stage.server, '100');
  // The first attempt comes with a login that is too old.
  let refusals = 1;
  await page.route('**/api/v1/api-keys', (route) => {
    if (route.request().method() !== 'POST' || refusals === 0) return route.continue();
    refusals -= 1;
    const error = { code: 'LOGIN_TOO_OLD', message: 'Sign in again.' };
    const json = { success: false, data: null, error, timestamp: 0 };
    return route.fulfill({ status: 401, json });
  });
  await openView(page, 'API keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('A new key needs a fresh signature of your wallet.').waitFor();
  await page.getByRole('button', { name: 'Sign with the wallet' }).click();
  await page.getByRole('button', { name: 'I have kept the secret' }).waitFor();
  await page.getByRole('banner').getByText('0x').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('AUTH-11 sessions are listed and ended, one and all others; signing out ends the own one', async () => {
  const wallet = createWallet(52);
  const second = await stage.visit({
    before: (blank) => injectWallet(blank, { wallet, name: 'Two', chainId: 43113 }),
  });
  const third = await stage.visit({
    before: (blank) => injectWallet(blank, { wallet, name: 'Two', chainId: 43113 }),
  });
  for (const visit of [second, third]) {
    await visit.page.getByRole('button', { name: 'Connect wallet' }).click();
    await visit.page.getByRole('button', { name: 'Two' }).click();
    await visit.page.getByRole('banner').getByRole('button', { name: /^0x/ }).waitFor();
  }
  const here = third.page;
  await openView(here, 'Sessions');
  const sessions = here.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This session').waitFor();
  await sessions.getByRole('button', { name: 'End' }).click();
  await sessions.getByRole('button', { name: 'End this session?' }).click();
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2);
  // The other browser notices at its next request, or by its channel.
  await waitForNotice(second.page, 'Your session has ended. Sign in again.');
  const [kept, token] = await here.evaluate(() => {
    const login = localStorage.getItem('evermark.session.43113') ?? '';
    return [login !== '', (JSON.parse(login) as { token: string }).token] as const;
  });
  expect(kept).toBe(true);
  await openView(here, 'Account');
  await here.getByRole('button', { name: 'Sign out' }).click();
  await here.getByRole('button', { name: 'Connect wallet' }).waitFor();
  const { native } = createClient({ baseUrl: stage.server.http, token });
  await expect
    .poll(() =>
      native.listSessions().then(
        () => 'open',
        (error: { code: string }) => error.code,
      ),
    )
    .toBe('INVALID_TOKEN');
  expect([...second.complaints, ...third.complaints]).toEqual([]);
  await Promise.all([second.close(), third.close()]);
});

test('NAT-4 referral: a code is set and used, what accrues is claimed, and odd codes are refused', async () => {
  const owner = await openGuest();
  await openView(owner.page, 'Referral');
  await owner.page.getByLabel('New code').fill('<b>XY</b>');
  await owner.page.getByRole('button', { name: 'Set my code' }).click();
  await owner.page.getByText('it is not 4 to 16 of A–Z and 0–9').waitFor();
  await owner.page.getByLabel('New code').fill('SCREENS1');
  await owner.page.getByRole('button', { name: 'Set my code' }).click();
  await owner.page.getByRole('button', { name: 'Copy code' }).waitFor();

  const referee = await openGuest();
  await openView(referee.page, 'Referral');
  await referee.page.getByLabel('Code of another').fill('SCREENS1');
  await referee.page.getByRole('button', { name: 'Use this code' }).click();
  await referee.page.getByText('Bound to').waitFor();
  const order = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.05' } as const;
  await referee.native.placeNativeOrder(order);

  await openView(owner.page, 'Fees');
  await openView(owner.page, 'Referral');
  const claim = owner.page.getByRole('button', { name: 'Claim' });
  const { accrued } = await owner.native.getReferral({});
  expect(Number(accrued)).toBeGreaterThan(0);
  await claim.click();
  await waitForNotice(owner.page, 'Referral credited');
  await expect.poll(() => claim.isDisabled()).toBe(true);
  expect(await owner.native.getReferral({})).toMatchObject({ accrued: '0', claimed: accrued });
  expect([...owner.complaints, ...referee.complaints]).toEqual([]);
  await Promise.all([owner.close(), referee.close()]);
});

test('NAT-3 a withdrawal is asked for twice, waits, and its end is shown; fees show the tier', async () => {
  const { page, native, complaints, close } = await openGuest('1000');
  await openView(page, 'Deposit and withdraw');
  const amount = page.getByLabel('Amount (USDT)');
  await amount.fill('2000');
  await page.getByText('You cannot withdraw so much').waitFor();
  await amount.fill('12.3456789');
  await page.getByText('At most six decimals, please.').waitFor();
  await amount.fill('12.5');
  await page.getByRole('button', { name: 'Request withdrawal' }).click();
  expect(await native.listWithdrawals()).toEqual([]);
  await page.getByText(/^Withdraw 12\.5 USDT to 0x/).waitFor();
  await page.getByRole('button', { name: 'Yes, withdraw' }).click();
  const shown = page.getByRole('region', { name: 'Withdrawals' });
  await shown.getByText('Pending').waitFor();
  const [pending] = await native.listWithdrawals();
  expect(pending).toMatchObject({ amount: '12.5', status: 'pending' });
  await openView(page, 'Fees');
  await page.getByText('Fee tier').first().waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  const table = await openTable(page, 'Deposits and withdrawals');
  await table.getByText('Pending').waitFor();
  await stage.server.operator.resolveWithdrawal({ id: pending!.id, action: 'release' });
  await table.getByText('Given back').waitFor();
  expect(complaints).toEqual([]);
  await close();
});
