// What a signer checks before it signs, against its own replica of the log: a signer that signs
// what it is asked is one key with extra steps. It knows no key and no clock; it keeps what it has
// signed within an hour.

import type { Hex } from 'viem';
import type { OpenWithdrawal } from '../chainEngine.ts';
import type { Payment } from '../vaultTypes.ts';

/** The signer's own view of the exchange. */
export type SignerReplica = {
  /** For each id the withdrawal, if it has not ended. */
  readonly openByIds: (ids: readonly Hex[]) => Promise<readonly (OpenWithdrawal | undefined)[]>;
  /** Whether the replica's money adds up (BAL-2). */
  readonly isConserved: () => Promise<boolean>;
};

export type BatchCheckOptions = {
  readonly replica: SignerReplica;
  /** The units that it signs within an hour. */
  readonly unitsPerHourMax: bigint;
};

/** Batches beyond this are refused before anything is looked up. */
export const paymentsPerBatchLimit = 300;

const hour = 3600n;

/** Checks a batch at a time in seconds, and gives why it must not be signed; undefined: sign it. */
export type CheckBatch = (payments: readonly Payment[], now: bigint) => Promise<string | undefined>;

export function createBatchCheck({ replica, unitsPerHourMax }: BatchCheckOptions): CheckBatch {
  /** What was signed within the hour; an id counts once, however often it is asked for. */
  const signed = new Map<Hex, { readonly units: bigint; readonly at: bigint }>();
  return async (payments, now) => {
    if (payments.length === 0) return 'the batch is empty';
    if (payments.length > paymentsPerBatchLimit) return 'the batch is too large';
    const open = await replica.openByIds(payments.map(({ id }) => id));
    const wrong = payments.find((payment, at) => !isRequested(payment, open[at]));
    if (wrong !== undefined) return `${wrong.id} is no open withdrawal of this amount and wallet`;
    const ids = new Set(payments.map(({ id }) => id));
    if (ids.size < payments.length) return 'an id is in the batch twice';
    if (!(await replica.isConserved())) return 'the money of this replica does not add up';
    // From here on nothing is awaited, so that two batches do not share the rest of a cap.
    for (const [id, { at }] of signed) if (at + hour <= now) signed.delete(id);
    const news = payments.filter(({ id }) => !signed.has(id));
    const before = [...signed.values()].reduce((sum, { units }) => sum + units, 0n);
    const after = news.reduce((sum, { units }) => sum + units, before);
    if (after > unitsPerHourMax) return 'the cap of this hour is reached';
    for (const { id, units } of news) signed.set(id, { units, at: now });
    return undefined;
  };
}

/** Queued withdrawals need no signature any more. */
function isRequested(payment: Payment, open: OpenWithdrawal | undefined): boolean {
  return (
    open !== undefined &&
    open.state !== 'queued' &&
    open.to === payment.to &&
    open.units === payment.units &&
    open.deadline === payment.deadline
  );
}
