// Open withdrawals, each of an account of its own, and a chain service that has counted their
// deposits: the service in this thread over the engine, with three nodes and signers with keys.

import type { Hex } from 'viem';
import { addressOf, type Vault } from '../../contracts/openVault.ts';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { createChainService } from '../../src/chain/service/createChainService.ts';
import { createChainParts, type EngineParts } from '../../test/contracts/createChainParts.ts';
import { check, say } from '../report.ts';
import { mineDeposits } from './mineDeposits.ts';
import { type Payments, readPayments } from './readPayments.ts';
import { withStage } from './withStage.ts';

const units = 1_000_000n;
/** Beyond the depth at which the local node calls a block final. */
export const finalBlocks = 10;

export type Withdrawals = {
  readonly stage: Vault;
  readonly engine: EngineParts['engine'];
  readonly parts: ChainParts;
  readonly isAllCompleted: () => boolean;
  /** Throws when one is not paid once, or engine, vault and wallets have other figures. */
  readonly check: () => Promise<Payments>;
};

export const withWithdrawals = <T>(
  count: number,
  measure: (opened: Withdrawals) => Promise<T>,
): Promise<T> =>
  withStage(async (stage) => {
    const { chain, vault, token } = stage;
    const wallets = Array.from({ length: count }, (_, at) => addressOf(`owner ${at}`));
    const { engine, parts } = await createChainParts(stage, 10n ** 15n);
    const begun = performance.now();
    await mineDeposits(stage, wallets, 2n * units);
    // The bucket of a new vault is empty.
    await chain.pass(86_400);
    await chain.bury(finalBlocks);
    const service = createChainService(parts);
    while (engine.state().deposits.length < count) {
      const { alarms } = await service.round();
      check(alarms.length === 0, `no alarm: ${alarms.map(({ name }) => name)}`);
    }
    // Their deadline is a day of the chain away.
    const time = BigInt(await chain.now());
    const ids = wallets.map((to) => engine.request({ to, units, time }));
    check(!ids.includes(undefined), 'each account can withdraw');
    say(
      `${count} deposits and requests made in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    );
    return measure({
      ...{ stage, engine, parts },
      isAllCompleted: () => engine.view({ from: 0, count: 0 }).openCount === 0,
      check: async () => {
        const payments = await readPayments(stage);
        check(payments.twice === 0, `${payments.twice} were paid twice`);
        check(payments.blocks.size === count, `${payments.blocks.size} of ${count} were paid`);
        check(
          ids.every((id) => payments.blocks.has(id!)),
          'what was requested is what was paid',
        );
        const { ended, completed } = engine.state();
        const isCompleted = (id: Hex): boolean => ended.get(id)?.end === 'completed';
        check(
          ids.every((id) => isCompleted(id!)),
          'each is completed',
        );
        const total = BigInt(count) * units;
        check(completed === total, 'the engine has completed all of the money');
        check((await vault.read('paidTotal')) === total, 'the vault has paid all of it');
        check((await token.read('balanceOf', [vault.address])) === total, 'it holds the rest');
        for (const wallet of wallets) {
          check((await token.read('balanceOf', [wallet])) === units, `${wallet} has its money`);
        }
        return payments;
      },
    });
  });
