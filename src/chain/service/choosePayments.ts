// What the service sends next to the vault: new withdrawals, queued ones whose time has come, and
// queued ones that were voided. A choice that is wrong costs gas and moves nothing twice, because
// the vault passes over what it knows.

import type { Hex } from 'viem';
import type { OpenWithdrawal } from '../chainEngine.ts';
import type { QueuePlace } from '../vaultNode.ts';
import type { Payment } from '../vaultTypes.ts';
import type { Recorded } from './factOf.ts';

/** A batch that arrives later than this before its deadline may be passed over, in seconds. */
const deadlineMargin = 600n;

export type Chance = {
  /** Open withdrawals with what the vault knows of them at the final block. */
  readonly recorded: readonly Recorded[];
  /** Ids whose state has changed in newer blocks. */
  readonly changed: ReadonlySet<Hex>;
  /** The time of the newest block, in seconds. */
  readonly time: bigint;
  /** What the vault holds, in units: what it cannot pay it passes over. */
  readonly held: bigint;
  readonly countMax: number;
};

/** Oldest first, as far as the vault can pay them. */
export function choosePayments({ recorded, changed, time, held, countMax }: Chance): Payment[] {
  const payments: Payment[] = [];
  let left = held;
  for (const { withdrawal, record } of recorded) {
    const { id, to, units, deadline } = withdrawal;
    if (payments.length === countMax) break;
    if (record.state !== 'none' || changed.has(id) || units > left) continue;
    if (deadline <= time + deadlineMargin) continue;
    left -= units;
    payments.push({ id, to, units, deadline });
  }
  return payments;
}

/** Queued withdrawals, oldest first. */
export const chooseQueued = ({ recorded, changed, countMax }: Chance): OpenWithdrawal[] =>
  recorded
    .filter(({ withdrawal, record }) => record.state === 'queued' && !changed.has(withdrawal.id))
    .slice(0, countMax)
    .map(({ withdrawal }) => withdrawal);

/** Those of a voided queue can only end; the others can be paid from their time on. */
export function splitQueued(
  queued: readonly OpenWithdrawal[],
  places: readonly QueuePlace[],
  { time, held }: Pick<Chance, 'time' | 'held'>,
): { readonly payable: readonly Hex[]; readonly voided: readonly Hex[] } {
  const [payable, voided]: [Hex[], Hex[]] = [[], []];
  let left = held;
  for (const [at, { id, units }] of queued.entries()) {
    const { isVoid, readyAt } = places[at]!;
    if (isVoid) voided.push(id);
    else if (time >= readyAt && units <= left) {
      left -= units;
      payable.push(id);
    }
  }
  return { payable, voided };
}
