// Whether the money that has left the vault is what the engine knows: the same, less or more.

import type { EngineView } from '../chainEngine.ts';
import type { Observation } from '../vaultNode.ts';
import type { Recorded } from './factOf.ts';

export type PaidJudgement = 'same' | 'behind' | 'unknownPaid';

/**
 * The vault's paid total against completed + Σ open withdrawals that it has paid. `recorded` are
 * all open withdrawals of the view, which is younger than the block. More: the engine does not know
 * a payment, or has released it, as after the start of an old backup. Less: the engine has
 * completed what is not paid at this block.
 */
export function judgePaid(
  block: Observation,
  { completedTotal }: Pick<EngineView, 'completedTotal'>,
  recorded: readonly Recorded[],
): PaidJudgement {
  const expected = recorded.reduce(
    (sum, { record }) => sum + (record.state === 'paid' ? record.units : 0n),
    completedTotal,
  );
  if (block.paidTotal === expected) return 'same';
  return block.paidTotal < expected ? 'behind' : 'unknownPaid';
}
