// The same with kills: for each batch a chain service is dropped at a random step, and one without
// any memory takes its place. Each withdrawal must be paid once.

import { createChainService } from '../../src/chain/service/createChainService.ts';
import { idsPerReadMax } from '../../src/chain/vaultNode.ts';
import { createPrng } from '../../src/std/prng.ts';
import { gasAddress } from '../../test/contracts/chainKeys.ts';
import { dieAfter } from '../../test/contracts/dieAfter.ts';
import type { ChainBench } from '../chain.ts';
import { check, say } from '../report.ts';
import { finalBlocks, type Withdrawals, withWithdrawals } from './withWithdrawals.ts';

/** About what a round takes that pays. */
const callsOfRound = 45;
const killsMax = 10_000;

export const measureKills: ChainBench = ({ withdrawals, seed }) =>
  withWithdrawals(withdrawals, async (opened) => {
    const prng = createPrng(seed);
    const begun = performance.now();
    let [kills, late] = [0, 0];
    // A start asks three nodes twice for all that is open.
    let calls = 6 * Math.ceil(withdrawals / idsPerReadMax) + callsOfRound;
    while (!opened.isAllCompleted()) {
      check(kills < killsMax, 'services that are killed come to an end');
      // Three of four die in the round after their first batch, the others at any step before.
      const isEarly = kills % 4 === 3;
      const step = isEarly ? prng.below(calls) : calls + prng.below(callsOfRound);
      const life = await live(opened, step);
      if (life.isKilled) kills += 1;
      if (life.isLate) late += 1;
      calls = life.calls ?? (isEarly ? calls : step);
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { transactions, twice } = await opened.check();
    say(`${withdrawals} withdrawals paid once each, with ${kills} kills, in ${seconds} s`);
    say(`  ${late} of them while a payment left; ${transactions} transactions`);
    return {
      kills,
      kills_per_batch: Math.round((100 * kills) / transactions) / 100,
      killed_transactions: transactions,
      killed_s: seconds,
      paid_twice: twice,
    };
  });

type Life = {
  readonly isKilled: boolean;
  /** It died in a round whose batch had left. */
  readonly isLate: boolean;
  /** The calls until its first batch had left, if one has. */
  readonly calls: number | undefined;
};

/** A service without memory, until it dies at this step or nothing is open. */
async function live(opened: Withdrawals, step: number): Promise<Life> {
  const { chain } = opened.stage;
  const nonce = (): Promise<unknown> => chain.ask('eth_getTransactionCount', gasAddress, 'latest');
  const dying = dieAfter(opened.parts, step);
  const service = createChainService(dying.parts);
  let calls: number | undefined;
  while (!opened.isAllCompleted()) {
    await chain.bury(finalBlocks);
    const before = await nonce();
    const round = await Promise.race([service.round(), dying.died]);
    if (round === 'died') {
      await chain.bury(0);
      return { isKilled: true, isLate: (await nonce()) !== before, calls };
    }
    check(round.alarms.length === 0, `no alarm: ${round.alarms.map(({ name }) => name)}`);
    if (round.sent !== undefined) calls ??= dying.made();
  }
  return { isKilled: false, isLate: false, calls };
}
