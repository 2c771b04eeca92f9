// Many deposits in few blocks: each block is made when all of its deposits wait.

import type { Hex } from 'viem';
import { addressOf, type Vault } from '../../contracts/openVault.ts';
import { check } from '../report.ts';

/** The first deposit of an account takes some 129,000; more would not go into a block. */
const gasEach = 140_000;
export const depositsPerBlock = 200;

/** One deposit of so many units for each account, in their order; gives the blocks. */
export async function mineDeposits(
  { chain, vault, fund }: Vault,
  accounts: readonly Hex[],
  units: bigint,
): Promise<number> {
  const from = addressOf('depositor');
  await fund(from, units * BigInt(accounts.length));
  await chain.ask('evm_setAutomine', false);
  const before = Number((await vault.read('depositCount')) as bigint);
  let blocks = 0;
  for (let at = 0; at < accounts.length; at += depositsPerBlock) {
    for (const account of accounts.slice(at, at + depositsPerBlock)) {
      const data = vault.encode('deposit', [account, units]);
      const gas = `0x${gasEach.toString(16)}`;
      await chain.ask('eth_sendTransaction', {
        ...{ from, to: vault.address, data, gas, gasPrice: '0x0' },
      });
    }
    await chain.ask('evm_mine');
    blocks += 1;
    const count = Number((await vault.read('depositCount')) as bigint) - before;
    check(count === Math.min(at + depositsPerBlock, accounts.length), 'each block is full');
  }
  await chain.ask('evm_setAutomine', true);
  return blocks;
}
