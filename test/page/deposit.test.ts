// Goal: a person deposits from the wallet of the browser into the vault, and withdraws to it; what
// goes wrong changes nothing and is said. Method: the real program, bound to a vault on a local
// chain, in a real browser whose wallet asks that chain.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Hex, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin } from '../../contracts/openVault.ts';
import { selectors } from '../../src/page/wallet/payIn.ts';
import { bindTo, chainedFlags, keepMining } from '../contracts/chainedExchange.ts';
import { onChain } from '../contracts/onChain.ts';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';
import { injectWallet, type WalletHabit } from './injectWallet.ts';
import { openBrowser } from './openBrowser.ts';
import { quietFlags } from './openQuietMarkets.ts';
import { openVisit, type Visit } from './openVisit.ts';
import { waitForNotice } from './waitForNotice.ts';

const million = 1_000_000n;

test('the page calls the functions of the contracts by their selectors', () => {
  for (const [name, selector] of Object.entries(selectors)) {
    expect(`0x${selector}`).toBe(toFunctionSelector(`function ${name}`));
  }
});

onChain('deposits from the page', (open) => {
  let directory: TemporaryDirectory;
  let server: RunningServer;
  let browser: Browser;
  let stage: Awaited<ReturnType<typeof open>>;
  let stopMining: ReturnType<typeof keepMining>;

  beforeAll(async () => {
    directory = createTemporaryDirectory();
    stage = await open({ bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    stopMining = keepMining(stage.chain);
    const chained = await chainedFlags(stage, join(directory.path, 'keys'));
    const flags = [...quietFlags, ...chained, '--anchor-interval', '10'];
    server = await startServer({ data: join(directory.path, 'data'), flags });
    await bindTo(stage, server);
    await server.operator.setWithdrawalTerms({ min: '5', fee: '0.5' });
    await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '115000' });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await stopMining?.();
    await browser?.close();
    await server?.stop();
    directory?.[Symbol.dispose]();
  });

  const visit = async (seed: number, habit: WalletHabit = 'signs'): Promise<Visit> => {
    const wallet = createWallet(seed);
    const { url: rpc } = stage.chain;
    const opened = await openVisit(browser, {
      url: server.http,
      before: (blank) =>
        injectWallet(blank, { wallet, name: 'Test Wallet', chainId: 43_113, habit, rpc }),
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('banner').getByRole('button', { name: /0x/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Account' });
    await dialog.getByRole('tab', { name: 'Deposit and withdraw', exact: true }).click();
    return opened;
  };

  test('VLT-2 VLT-4 a deposit from the wallet arrives, and a withdrawal is paid to it', async () => {
    const owner = createWallet(31).address as Hex;
    await stage.token.write(owner, 'mint', [owner, 900n * million]);
    const { page, complaints, close } = await visit(31);
    await page.getByText(stage.vault.address).waitFor();
    const amount = page.getByLabel('Deposit (USDT)');
    const deposit = page.getByRole('button', { name: 'Deposit from the wallet' });
    await amount.fill('0.5');
    await deposit.click();
    await page.getByText('The least deposit is 1 USDT.').waitFor();
    await amount.fill('901');
    await deposit.click();
    await page.getByText('Your wallet holds 900 USDT.').waitFor();
    await amount.fill('750.25');
    await deposit.click();
    await waitForNotice(page, '750.25 USDT paid in');
    expect(await stage.token.read('balanceOf', [owner])).toBe(149_750_000n);
    // Exactly as much as was allowed: nothing is left that the contract may take.
    expect(await stage.token.read('allowance', [owner, stage.vault.address])).toBe(0n);
    const most = page.getByRole('button', { name: 'Max 750.25' });
    await most.waitFor();
    await page.getByText('At least 5 USDT; 0.5 USDT of it is the fee.').waitFor();
    await most.click();
    await page.getByRole('button', { name: 'Request withdrawal' }).click();
    await page.getByRole('button', { name: 'Yes, withdraw' }).click();
    await expect
      .poll(() => stage.token.read('balanceOf', [owner]))
      .toBe(149_750_000n + 750_250_000n - 500_000n);
    // What the contract takes and pays at once stands beside the forms.
    await page.getByText('when the chain calls the block final', { exact: true }).waitFor();
    await page.getByText('waits 6 hours in the contract').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Account' });
    const facts = await dialog.locator('dl').allInnerTexts();
    expect(facts.join('\n')).toMatch(/Least deposit\s+1 USDT/);
    expect(facts.join('\n')).toMatch(/Paid at once, each up to\s+1,000,000 USDT/);
    // The row follows the channel, without a click.
    const row = dialog.getByRole('row', { name: /750\.25/ });
    await row.getByText('Completed').waitFor();
    await row.getByText(/^0x[0-9a-f]{6}…[0-9a-f]{6}$/).waitFor();
    await row.getByRole('button', { name: 'Copy' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('VLT-4 a withdrawal that waits in the contract says until when, in the list and in the table', async () => {
    const owner = createWallet(33).address as Hex;
    await stage.vault.write(admin, 'setLimits', [10n ** 15n, 10n * million, 21_600n]);
    await stage.fund(owner, 90n * million);
    await stage.vault.write(owner, 'deposit', [owner, 90n * million]);
    const { page, complaints, close } = await visit(33);
    await page.getByRole('button', { name: 'Max 90.00' }).waitFor();
    await page.getByLabel('Amount (USDT)').fill('50');
    await page.getByRole('button', { name: 'Request withdrawal' }).click();
    await page.getByRole('button', { name: 'Yes, withdraw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Account' });
    const row = dialog.getByRole('row', { name: /50\.00/ });
    await row.getByText(/^Waits in the contract until \d{4}-/).waitFor();
    await row.getByText(/^0x[0-9a-f]{6}…[0-9a-f]{6}$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Deposits and withdrawals' }).click();
    const transfers = page.getByRole('row', { name: /Withdrawal.*Waits in the contract/ });
    await transfers.getByRole('button', { name: 'Copy' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('VLT-8 a person proves what is owed, and compares it with the contract by the wallet', async () => {
    const owner = createWallet(34).address as Hex;
    await stage.fund(owner, 60_250_000n);
    await stage.vault.write(owner, 'deposit', [owner, 60_250_000n]);
    const { page, complaints, close } = await visit(34);
    const dialog = page.getByRole('dialog', { name: 'Account' });
    const proof = dialog.getByRole('tab', { name: 'Proof of funds' });
    const other = dialog.getByRole('tab', { name: 'Fees' });
    const kept = dialog.getByText(/^The contract has kept this list since/);
    // The first list with this deposit, once the contract keeps it.
    for (;;) {
      await proof.click();
      await dialog.getByText('You were owed', { exact: true }).waitFor();
      const facts = (await dialog.locator('dl').allInnerTexts()).join();
      if (/60\.25 USDT/.test(facts) && (await kept.isVisible())) break;
      await other.click();
      // Two anchors are two minutes of the chain apart.
      await stage.chain.pass(130);
      await page.waitForTimeout(200);
    }
    await dialog.getByText('it is the root of the list').waitFor();
    await dialog.getByText(/If no newer list comes until \d{4}-/).waitFor();
    await dialog.getByRole('button', { name: 'Compare with the contract' }).click();
    // A newer list may have come meanwhile.
    await dialog.getByText(/^Your wallet (has read the same|reads another) root/).waitFor();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the proof' }).click();
    const saved = JSON.parse(readFileSync(await (await saving).path(), 'utf8'));
    expect(saved.proof).toMatchObject({ account: owner, units: '60250000' });
    expect(complaints).toEqual([]);
    await close();
  });

  test('what a wallet declines, or cannot do, is said and changes nothing', async () => {
    const owner = createWallet(32).address as Hex;
    await stage.token.write(owner, 'mint', [owner, 50n * million]);
    const { page, complaints, close } = await visit(32, 'declinesToPay');
    await page.getByLabel('Deposit (USDT)').fill('20');
    const deposit = page.getByRole('button', { name: 'Deposit from the wallet' });
    await deposit.click();
    await page.getByText('You declined in the wallet.').waitFor();
    expect(await page.getByLabel('Deposit (USDT)').inputValue()).toBe('20');
    // What an earlier, unfinished deposit let the contract take does not stop a larger one: USDT
    // refuses to change it but over zero.
    await stage.token.write(owner, 'approve', [stage.vault.address, 7n * million]);
    const steady = await visit(32);
    await steady.page.getByLabel('Deposit (USDT)').fill('20');
    await steady.page.getByRole('button', { name: 'Deposit from the wallet' }).click();
    await waitForNotice(steady.page, '20 USDT paid in');
    expect(steady.complaints).toEqual([]);
    await steady.close();
    for (const [typed, problem] of [
      ['1,234', 'Is the comma a decimal point?'],
      ['-3', 'A number above zero'],
      ['0.0000001', 'At most six decimals'],
    ] as const) {
      await page.getByLabel('Deposit (USDT)').fill(typed);
      await page.getByText(problem).waitFor();
      expect(await deposit.isDisabled()).toBe(true);
    }
    expect(await stage.token.read('balanceOf', [owner])).toBe(30n * million);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a guest, who has no wallet, reads where money goes', async () => {
    const { page, complaints, close } = await openVisit(browser, { url: server.http });
    await page.getByRole('button', { name: 'Try without a wallet' }).click();
    await page.getByRole('banner').getByRole('button', { name: /0x/ }).click();
    await page.getByRole('tab', { name: 'Deposit and withdraw', exact: true }).click();
    await page.getByText(stage.token.address).waitFor();
    expect(await page.getByLabel('Deposit (USDT)').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
