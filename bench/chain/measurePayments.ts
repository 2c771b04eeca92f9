// How long a chain service takes to pay many withdrawals, in how many transactions, and their gas.
// Its rounds begin as seldom as those of its thread; the local chain makes a block of each
// transaction at once, and one after each round.

import { setTimeout as sleep } from 'node:timers/promises';
import { createChainService } from '../../src/chain/service/createChainService.ts';
import type { ChainBench } from '../chain.ts';
import { check, percentiles, say } from '../report.ts';
import { finalBlocks, withWithdrawals } from './withWithdrawals.ts';

/** As in `chainThread.ts`. */
const roundMs = 750;

export const measurePayments: ChainBench = ({ withdrawals }) =>
  withWithdrawals(withdrawals, async ({ stage, parts, isAllCompleted, check: checkAll }) => {
    const { chain, vault } = stage;
    const service = createChainService(parts);
    // It has run for a while: what was the newest block at its start is final.
    await service.round();
    await chain.bury(finalBlocks);
    const rounds: number[] = [];
    const begun = performance.now();
    let paidMs = 0;
    while (!isAllCompleted()) {
      const at = performance.now();
      const { alarms } = await service.round();
      check(
        alarms.length === 0,
        `no alarm: ${alarms.map(({ name, detail }) => `${name} ${detail}`)}`,
      );
      rounds.push(performance.now() - at);
      await chain.bury(0);
      if (paidMs === 0 && (await vault.read('paidTotal')) === BigInt(withdrawals) * 1_000_000n) {
        paidMs = performance.now() - begun;
      }
      await sleep(Math.max(0, at + roundMs - performance.now()));
    }
    const seconds = (ms: number): number => Math.round(ms / 100) / 10;
    const ended = performance.now() - begun;
    const { transactions, gas } = await checkAll();
    const gasEach = Math.round(gas / withdrawals);
    say(
      `${withdrawals} withdrawals: paid in ${seconds(paidMs)} s, completed in ${seconds(ended)} s`,
    );
    say(
      `  ${transactions} transactions, ${gasEach} gas each; a round: ${percentiles(rounds, 'ms')}`,
    );
    return {
      withdrawals,
      paid_s: seconds(paidMs),
      all_completed_s: seconds(ended),
      transactions,
      gas_each: gasEach,
    };
  });
