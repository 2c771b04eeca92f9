// A person trades on the page, in a real browser against the real program: as a guest, with limit
// and market orders, and with an injected wallet that signs in.

import { expect, test } from 'vitest';
import { createWallet } from '../identity/wallet.ts';
import { creditVisitor } from './creditVisitor.ts';
import { injectWallet } from './injectWallet.ts';
import { useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ quiet: ['BTCUSDT'] });

test('a guest places, cancels, buys at the market and closes, and the exchange has the same', async () => {
  const { page, native, complaints, close } = await stage.openGuest('50000');
  await page.getByRole('button', { name: 'Get play money' }).click();
  await waitForNotice(page, 'Play money credited');
  const tables = page.getByRole('region', { name: 'Account tables' });

  await page.getByLabel('Price').fill('100000');
  await page.getByLabel('Size').fill('0.05');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await tables.getByRole('table').getByText('100,000.0').waitFor();
  const [order] = await native.listNativeOrders({});
  expect(order).toMatchObject({ side: 'BUY', type: 'LIMIT', price: '100000.0', orig_qty: '0.050' });
  // The size leaves the ticket with the answer, so that a second click sends nothing.
  await expect.poll(() => page.getByLabel('Size').inputValue()).toBe('');

  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('No open orders.').waitFor();
  expect(await native.listNativeOrders({})).toEqual([]);

  await page.getByRole('tab', { name: 'Market' }).click();
  await page.getByLabel('Size').fill('0.2');
  await page.getByRole('button', { name: 'Sell / Short' }).click();
  await page.getByRole('tab', { name: 'Positions' }).click();
  await tables.getByRole('table').getByText('-0.200 BTC').waitFor();
  expect(await native.listPositions({})).toMatchObject([
    { symbol: 'BTCUSDT', position_amt: '-0.200' },
  ]);

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('No open positions.').waitFor();
  expect(await native.listPositions({})).toEqual([]);

  await page.getByRole('tab', { name: 'Fills' }).click();
  const fills = await native.listFills({ symbol: 'BTCUSDT' });
  await expect
    .poll(() => tables.getByRole('table').getByRole('row').count())
    // The head is a row too.
    .toBe(fills.length + 1);
  expect(complaints).toEqual([]);
  await close();
});

test('what a person types while an order is on its way belongs to the next one', async () => {
  const { page, native, complaints, close } = await stage.openGuest('50000');
  const size = page.getByLabel('Size');
  const answered = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let held = false;
  await page.route('**/api/v1/orders', async (route) => {
    const response = await route.fetch();
    if (!held) {
      held = true;
      arrived.resolve();
      await answered.promise;
    }
    await route.fulfill({ response });
  });
  await page.getByLabel('Price').fill('100000');
  await size.fill('0.05');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await arrived.promise;
  await size.fill('0.07');
  const buy = page.getByRole('button', { name: 'Buy / Long' });
  await expect.poll(() => buy.isDisabled()).toBe(true);
  answered.resolve();
  await expect.poll(() => buy.isEnabled()).toBe(true);
  expect(await size.inputValue()).toBe('0.07');
  // The second click falls on an order that is on its way, or on a ticket without a size.
  await buy.dblclick();
  await expect.poll(() => size.inputValue()).toBe('');
  const orders = await native.listNativeOrders({});
  expect(orders.map(({ orig_qty }) => orig_qty)).toEqual(['0.050', '0.070']);
  expect(complaints).toEqual([]);
  await close();
});

test('a login outlives a reload, and signing out ends it in every tab', async () => {
  const { page, complaints, close } = await stage.visit();
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  const account = page.getByRole('button', { name: /^Guest 0x/ });
  await account.waitFor();
  const name = await account.textContent();
  await page.reload();
  await account.waitFor();
  expect(await account.textContent()).toBe(name);
  const second = await page.context().newPage();
  await second.goto(stage.server.http);
  await second.getByRole('button', { name: /^Guest 0x/ }).click();
  await second.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
  // The same wallet comes back: its key is in the browser.
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await account.waitFor();
  expect(await account.textContent()).toBe(name);
  expect(complaints).toEqual([]);
  await close();
});

test('an injected wallet on another chain is switched, signs, and is signed in', async () => {
  const wallet = createWallet(41);
  const { page, complaints, close } = await stage.visit({
    before: (blank) => injectWallet(blank, { wallet, name: 'Test Wallet', chainId: 1 }),
  });
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  const shown = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`;
  await page.getByRole('banner').getByText(shown).waitFor();
  const visitor = await creditVisitor(page, stage.server, '1000');
  expect(visitor.address).toBe(wallet.address);
  await page.getByText('1,000.00 USDT').first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['refuses', 'You declined in the wallet.'],
  ['staysOnItsChain', 'The wallet is on another chain. Switch it, and try again.'],
  ['answersNonsense', 'The wallet gave no valid signature.'],
] as const)('a wallet that %s: the page says so and stays usable', async (habit, said) => {
  const { page, complaints, close } = await stage.visit({
    before: (blank) =>
      injectWallet(blank, { wallet: createWallet(42), name: 'Odd <b>Wallet', chainId: 1, habit }),
  });
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Odd <b>Wallet' }).click();
  await page.getByText(said).waitFor();
  await page.getByRole('button', { name: 'Odd <b>Wallet' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a wallet that never answers can be given up', async () => {
  const { page, complaints, close } = await stage.visit({
    before: (blank) =>
      injectWallet(blank, {
        wallet: createWallet(43),
        name: 'Mute',
        chainId: 43113,
        habit: 'neverAnswers',
      }),
  });
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.getByText('Confirm in Mute…').waitFor();
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  await page.getByRole('button', { name: 'Mute' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
