// What tests of the vault's exit do before it: deposits by one payer, and payments that are signed.

import type { Hex } from 'viem';
import { expect } from 'vitest';
import { addressOf, idOf, type Vault } from '../../contracts/openVault.ts';

const payer = addressOf('payer');

/** Pays in for an account. */
export async function deposit(stage: Vault, account: Hex, units: bigint): Promise<void> {
  await stage.fund(payer, units);
  await stage.vault.write(payer, 'deposit', [account, units]);
}

/** A withdrawal with this name, paid at once. */
export async function pay(stage: Vault, name: string, to: Hex, units: bigint): Promise<void> {
  const payments = [{ id: idOf(name), to, units, deadline: 2n ** 62n }];
  await stage.vault.write(payer, 'pay', [payments, await stage.signPay(payments)]);
  expect((await stage.vault.read('withdrawalOf', [idOf(name)])) as unknown[]).toContain(1);
}
