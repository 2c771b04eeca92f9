// The chain service in simulated worlds: chain, nodes, signers, users, kills between any two steps.
// Two planted mistakes show that the worlds are bad enough to notice.

import { expect, test } from 'vitest';
import { type ChainSeedResult, runChainSeed } from '../../sim/chain/runChainSeed.ts';
import { runEachChainSeed } from '../../sim/chain/runChainSeeds.ts';
import type { Control } from '../../sim/chain/simulatedNode.ts';

const patienceMs = 600_000;

test(
  'KPR-1 a hundred seeds have no wrong credit, payment or report, and every kind of fault',
  async () => {
    const found: string[] = [];
    const { counts } = await runEachChainSeed({
      from: 1,
      count: 100,
      control: 'none',
      onResult: ({ seed, wrongs }) => void found.push(...wrongs.map((each) => `${seed}: ${each}`)),
    });
    expect(found).toEqual([]);
    const expected = [
      ...['credited', 'sent', 'paid', 'failed', 'cancelled', 'queued', 'none'],
      ...['reorganisations', 'kills', 'doubled', 'sentAgain', 'deep', 'lostPayments', 'liar'],
      ...['late', 'dead', 'empty', 'forge', 'fork', 'foreign'],
      ...['noQuorum', 'nodeIsForeign', 'vaultBehind', 'depositsDiffer', 'paidUnknown'],
      ...['signerFails', 'signaturesTooFew', 'gasAccountLow', 'feeCapReached', 'vaultIsPaused'],
      ...['reported', 'falseReports', 'reportWrong'],
      ...['trees', 'anchored', 'falseAnchors', 'anchorWrong', 'anchorUnsigned'],
    ];
    expect(expected.filter((name) => counts[name] === undefined)).toEqual([]);
  },
  patienceMs,
);

/** The first of these seeds in which the mistake did this harm. */
async function findHarm(
  control: Control,
  { from, to, harm }: { readonly from: number; readonly to: number; readonly harm: RegExp },
): Promise<ChainSeedResult | undefined> {
  for (let seed = from; seed <= to; seed += 1) {
    const result = await runChainSeed(seed, control);
    if (result.wrongs.some((wrong) => harm.test(wrong))) return result;
  }
  return undefined;
}

test(
  'credits after one confirmation are wrong within a few seeds',
  async () => {
    const harm = /^deposit \d+ is another one$/;
    expect(await findHarm('oneConfirmation', { from: 1, to: 10, harm })).toBeDefined();
  },
  patienceMs,
);

test(
  'releases by the newest block pay a withdrawal and give it back',
  async () => {
    const harm = /is paid and released$/;
    expect(await findHarm('releaseByLatest', { from: 1, to: 100, harm })).toBeDefined();
  },
  patienceMs,
);
