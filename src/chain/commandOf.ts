// The facts of a chain as commands of the log, and the engine's answer to each. Program and
// simulation drive the same engine through it.

import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Money } from '../units/units.ts';
import type { ChainFact, FactResult } from './chainEngine.ts';
import { recordOfId } from './withdrawalId.ts';

/** Undefined for an id that no withdrawal of an exchange has. */
export function commandOf(fact: ChainFact): Command | undefined {
  if (fact.kind === 'deposit') {
    const { index, account: address, units, hash } = fact;
    const placed = { index: Number(index), address, units: Number(units) as Money };
    return { kind: 'creditDeposit', ...placed, hash };
  }
  const record = recordOfId(fact.id);
  if (record === undefined) return undefined;
  const blockTime = Number(fact.blockTime);
  return { kind: 'reportWithdrawal', ...record, fact: fact.fact, blockTime };
}

/** An ended withdrawal is unknown to the engine: another service was quicker. */
export function resultOf(outcome: Outcome): FactResult {
  if (outcome.kind === 'accepted') return 'taken';
  const { reason } = outcome.rejection;
  return reason === 'factKnown' || reason === 'withdrawalUnknown' ? 'known' : 'refused';
}
