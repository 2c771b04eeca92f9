// A vault as the tests bind it, and the facts of its deposits in their order.

import { depositHash } from '../../src/engine/depositHash.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { BindVault, CreditDeposit } from '../../src/engine/vaultCommand.ts';
import type { Money } from '../../src/units/units.ts';

export const vaultAddress = `0x${'ab'.repeat(20)}`;

export const bindVaultCommand: BindVault = {
  kind: 'bindVault',
  chainId: 43113,
  address: vaultAddress,
  token: `0x${'cd'.repeat(20)}`,
  tokenDecimals: 6,
  codeHash: `0x${'12'.repeat(32)}`,
  deployBlock: 7,
};

/** The next deposit of the vault that the exchange knows. */
export function nextDeposit(
  { vault }: Pick<Exchange, 'vault'>,
  address: string,
  units: number,
): CreditDeposit {
  const placed = { index: vault.depositCount + 1, address, units: units as Money };
  return { kind: 'creditDeposit', ...placed, hash: depositHash(vault.depositsHash, placed) };
}
