// Deposits of the vault: a dense index, a chain of hashes, and only money that has arrived.

import { type Hex, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { addressOf, type Vault } from '../../contracts/openVault.ts';
import { depositHash, noDeposits } from '../../src/chain/depositHash.ts';
import { onChain, refused } from './onChain.ts';

const [alice, bob, carol] = [addressOf('alice'), addressOf('bob'), addressOf('carol')];

async function holdings({ vault, token }: Vault): Promise<unknown[]> {
  return [
    await vault.read('depositCount'),
    await vault.read('depositTotal'),
    await vault.read('depositsHash'),
    await token.read('balanceOf', [vault.address]),
  ];
}

onChain('deposits of the vault', (open) => {
  test.each([6, 18])(
    'have a dense index and a chain of hashes, with %i decimals',
    async (decimals) => {
      const stage = await open({ decimals });
      const { vault, scale } = stage;
      const deposits: [Hex, Hex, bigint][] = [
        [alice, alice, 5_000_000n],
        [bob, alice, 1_000_000n],
        [alice, carol, 7_654_321n],
        [bob, vault.address, 2_000_000n],
      ];
      let [hash, sum] = [noDeposits, 0n];
      for (const [at, [from, account, units]] of deposits.entries()) {
        await stage.fund(from, units);
        const done = await vault.write(from, 'deposit', [account, units]);
        const index = BigInt(at + 1);
        hash = depositHash(hash, index, { account, units });
        sum += units;
        const args = {
          index,
          account: account.toLowerCase(),
          from: from.toLowerCase(),
          units,
          hash,
        };
        const event = done.events.find(({ name }) => name === 'Deposited')!.args;
        expect({
          ...event,
          account: String(event.account).toLowerCase(),
          from: String(event.from).toLowerCase(),
        }).toEqual(args);
        const [saved, cumulative] = (await vault.read('depositOf', [index])) as [Hex, bigint];
        expect([saved.toLowerCase(), cumulative]).toEqual([account.toLowerCase(), sum]);
      }
      expect(await holdings(stage)).toEqual([4n, sum, hash, sum * scale]);
      const page = (await vault.read('depositsFrom', [2n, 9n])) as { cumulative: bigint }[];
      expect(page.map(({ cumulative }) => cumulative)).toEqual([6_000_000n, 13_654_321n, sum]);
      expect(await vault.read('depositsFrom', [0n, 9n])).toEqual([]);
      expect(await vault.read('depositsFrom', [5n, 1n])).toEqual([]);
    },
  );

  test('out of bounds, for no account or without allowance change nothing', async () => {
    const stage = await open();
    const { vault, token } = stage;
    await stage.fund(alice, 2n ** 54n);
    await refused(vault.write(alice, 'deposit', [alice, 999_999n]), 'DepositOutOfBounds');
    await refused(vault.write(alice, 'deposit', [alice, 0n]), 'DepositOutOfBounds');
    await refused(vault.write(alice, 'deposit', [alice, 2n ** 53n]), 'DepositOutOfBounds');
    await refused(vault.write(alice, 'deposit', [zeroAddress, 1_000_000n]), 'AccountInvalid');
    await token.write(carol, 'mint', [carol, 1_000_000n]);
    await expect(vault.write(carol, 'deposit', [carol, 1_000_000n])).rejects.toThrow();
    expect(await holdings(stage)).toEqual([0n, 0n, noDeposits, 0n]);
  });

  test('of a token that takes a fee are refused whole', async () => {
    const stage = await open();
    const { vault, token } = stage;
    await stage.fund(alice, 5_000_000n);
    await token.write(alice, 'setFeeRate', [1n]);
    await refused(vault.write(alice, 'deposit', [alice, 5_000_000n]), 'TokenTookFee');
    expect(await token.read('balanceOf', [alice])).toBe(5_000_000n);
    await token.write(alice, 'setFeeRate', [0n]);
    await vault.write(alice, 'deposit', [alice, 5_000_000n]);
    expect(await vault.read('depositTotal')).toBe(5_000_000n);
  });

  test('go on during a pause, and a direct transfer is no deposit', async () => {
    const stage = await open();
    const { vault, token } = stage;
    await vault.write(addressOf('guardian'), 'pause');
    await stage.fund(alice, 9_000_000n);
    await token.write(alice, 'transfer', [vault.address, 4_000_000n]);
    await vault.write(alice, 'deposit', [alice, 5_000_000n]);
    expect((await holdings(stage))[1]).toBe(5_000_000n);
    expect(await token.read('balanceOf', [vault.address])).toBe(9_000_000n);
  });

  test('of a token that calls back count once, and its call is refused', async () => {
    const stage = await open({ hostile: true });
    const { vault, token } = stage;
    await stage.fund(alice, 9_000_000n);
    await token.write(alice, 'mint', [token.address, 9_000_000n]);
    const again = vault.encode('deposit', [bob, 1_000_000n]);
    await token.write(alice, 'setCall', [vault.address, again]);
    await vault.write(alice, 'deposit', [alice, 5_000_000n]);
    expect([await token.read('attempts'), await token.read('accepted')]).toEqual([1n, 0n]);
    expect((await holdings(stage)).slice(0, 2)).toEqual([1n, 5_000_000n]);
  });
});
