// What the vault's records at a final block mean for withdrawals that have not ended. Only facts of
// a final block end one: no clock, no receipt, no newest block.

import type { OpenWithdrawal, WithdrawalFact } from '../chainEngine.ts';
import type { PaymentRecord } from '../vaultNode.ts';

/** A withdrawal and what the vault knows of its id at the final block. */
export type Recorded = { readonly withdrawal: OpenWithdrawal; readonly record: PaymentRecord };

/** The vault knows the id with the record's recipient and amount, or does not know it. */
export function isAsRequested({ withdrawal, record }: Recorded): boolean {
  if (record.state === 'none') return true;
  return record.to === withdrawal.to && record.units === withdrawal.units;
}

/**
 * The news for the engine; undefined when there is none. The vault pays up to the deadline and
 * including it, so an id that it does not know ends only after that second.
 */
export function factOf(recorded: Recorded, blockTime: bigint): WithdrawalFact | undefined {
  const { withdrawal, record } = recorded;
  const { id, state, deadline } = withdrawal;
  if (!isAsRequested(recorded)) return undefined;
  if (record.state === 'none' && (state === 'queued' || blockTime <= deadline)) return undefined;
  if (record.state === 'queued' && state === 'queued') return undefined;
  return { kind: 'withdrawal', id, fact: record.state, blockTime };
}
