// Goal: what wallets are owed adds up to what the vault has taken, whatever trading did (VLT-8,
// BAL-2). Method: random streams with positions, liquidations and fees get a vault afterwards; each
// leaf is computed again from the records, and planted mistakes are found.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { liabilitiesOf } from '../../src/engine/views/liabilities.ts';
import { finish } from '../../src/std/finish.ts';
import type { AccountId, Money, Ticks } from '../../src/units/units.ts';
import { readOwed } from '../fixtures/readOwed.ts';
import { runStream } from './commandStream.ts';
import { bindVaultCommand, vaultAddress } from './depositChain.ts';

const stranger = `0x${'9'.repeat(40)}`;

function withVault(exchange: Exchange): Exchange {
  const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
  const { vault, funds } = exchange;
  const depositTotal = funds.deposits + 400n;
  Object.assign(vault, { binding, depositCount: 9, depositTotal, unnamed: 100n });
  vault.parked.set(stranger, 300n);
  if (funds.withdrawals > 0n) vault.paid.set(1 as AccountId, funds.withdrawals);
  return exchange;
}

const seen = { positions: 0, deficits: 0, pending: 0, withdrawn: 0, fees: 0 };

describe('VLT-8 what is owed adds up', () => {
  test.each(Array.from({ length: 12 }, (_, at) => at + 1))('in the stream of seed %i', (seed) => {
    const exchange = withVault(runStream(seed, 800));
    // A crash that liquidations have not met yet.
    for (const { prices } of exchange.markets) {
      if (seed % 2 === 0) prices.mark = Math.ceil(prices.mark / 3) as Ticks;
    }
    const owed = readOwed(exchange)!;
    const sum = owed.units.reduce((all, units) => all + units, 0n);
    expect(sum + owed.withdrawnTotal).toBe(owed.depositTotal + owed.deficit);
    expect(new Set(owed.accounts).size).toBe(owed.accounts.length);
    expect(owed.accounts.at(-1)).toBe(vaultAddress);
    const at = (address: string): number => owed.accounts.indexOf(address);
    expect(owed.units[at(stranger)]).toBe(300n);
    for (const account of liveAccounts(exchange).slice(1)) {
      const { equity } = accountFigures(exchange, account);
      let units = BigInt(Math.max(0, equity) + (account.referral?.accrued ?? 0));
      for (const { account: id, amount } of exchange.withdrawals.values()) {
        if (id !== account.id) continue;
        units += BigInt(amount);
        seen.pending += 1;
      }
      const withdrawn = exchange.vault.paid.get(account.id) ?? 0n;
      if (units > 0n) expect(owed.units[at(account.address)]).toBe(units);
      else expect(owed.units[at(account.address)] ?? 0n).toBe(0n);
      expect(owed.withdrawn[at(account.address)] ?? 0n).toBe(withdrawn);
      if (equity < 0) seen.deficits += 1;
      if (withdrawn > 0n) seen.withdrawn += 1;
      seen.positions += account.positions.filter((each) => (each?.lots ?? 0) !== 0).length;
    }
    if (exchange.funds.feeRevenue > 0) seen.fees += 1;
  });

  test('the streams had positions, losses, requests, payments and fees', () => {
    for (const [name, times] of Object.entries(seen)) expect(times, name).toBeGreaterThan(0);
  });
});

test('VLT-8 money that was made by mistake is found, and an unknown payment gives no leaves', () => {
  const exchange = withVault(runStream(3, 800));
  const trader = exchange.accounts[2]!;
  trader.available = (trader.available + 1) as Money;
  expect(() => readOwed(exchange)).toThrow('BAL-2: the fund and fees are owed');
  trader.available = (trader.available - 1) as Money;
  expect(readOwed(exchange)).toBeDefined();
  exchange.funds.withdrawals += 1n;
  expect(readOwed(exchange)).toBeUndefined();
  exchange.vault.binding = null;
  expect(readOwed(exchange)).toBeUndefined();
});

test('VLT-8 more than a safe integer is owed to the unit', () => {
  const exchange = withVault(runStream(3, 100));
  const huge = 2n ** 53n + 1n;
  exchange.vault.parked.set(stranger, huge);
  exchange.vault.depositTotal += huge - 300n;
  const owed = readOwed(exchange)!;
  expect(owed.units[owed.accounts.indexOf(stranger)]).toBe(huge);
  const trader = exchange.accounts[1]!.address;
  exchange.vault.parked.set(trader, huge);
  exchange.vault.depositTotal += huge;
  const more = readOwed(exchange)!;
  const before = owed.accounts.indexOf(trader);
  const gained = more.units[more.accounts.indexOf(trader)]! - (owed.units[before] ?? 0n);
  expect(gained).toBe(huge);
});

test('VLT-8 more than a leaf can say is no fault of the exchange', () => {
  const exchange = withVault(runStream(3, 100));
  const park = (units: bigint): void => {
    exchange.vault.depositTotal += units - exchange.vault.parked.get(stranger)!;
    exchange.vault.parked.set(stranger, units);
  };
  park(2n ** 64n - 1n);
  expect(readOwed(exchange)!.units).toContain(2n ** 64n - 1n);
  park(2n ** 64n);
  expect(finish(liabilitiesOf(exchange))).toBe('tooLarge');
  // It hides no money that was made by mistake.
  exchange.vault.depositTotal -= 1n;
  expect(() => finish(liabilitiesOf(exchange))).toThrow('BAL-2: the fund and fees are owed');
});
