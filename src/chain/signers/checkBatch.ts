// What a signer checks before it signs, against its own replica of the log: a signer that signs
// what it is asked is one key with extra steps. It knows no key and no clock; it keeps what it has
// signed within an hour.

import type { Hex } from 'viem';
import type { OpenWithdrawal } from '../chainEngine.ts';
import type { Payment } from '../vaultTypes.ts';
import { NotSigned } from './signer.ts';

/** The signer's own view of the exchange, as far as payments need it. */
export type BatchReplica = {
  /** For each id the withdrawal, if it has not ended. */
  readonly openByIds: (ids: readonly Hex[]) => Promise<readonly (OpenWithdrawal | undefined)[]>;
  /** Whether the replica's money adds up (BAL-2). */
  readonly isConserved: () => Promise<boolean>;
};

/** A payment that was signed, with the time in seconds. */
export type SignedPayment = { readonly id: Hex; readonly units: bigint; readonly at: bigint };

/** Where a signer keeps what it has signed, so that a restart gives it no new cap. */
export type SignedStore = {
  readonly load: () => readonly SignedPayment[];
  /** Durable when it returns; throws otherwise. `live`: all that still counts, with these. */
  readonly append: (signed: readonly SignedPayment[], live: () => Iterable<SignedPayment>) => void;
};

export type BatchCheckOptions = {
  readonly replica: BatchReplica;
  /** The units that it signs within an hour. */
  readonly unitsPerHourMax: bigint;
  readonly store: SignedStore;
};

/** Batches beyond this are refused before anything is looked up. */
export const paymentsPerBatchLimit = 300;

export const hourSeconds = 3600n;
/** Payments that one signer signs within an hour, whatever their amounts. */
const signedPerHourMax = 200_000;

/** Checks a batch at a time in seconds. Rejects with `NotSigned` when it must not be signed. */
export type CheckBatch = (payments: readonly Payment[], now: bigint) => Promise<void>;

export function createBatchCheck(options: BatchCheckOptions): CheckBatch {
  const { replica, unitsPerHourMax, store } = options;
  /** What was signed within the hour; an id counts once, however often it is asked for. */
  const signed = new Map<Hex, SignedPayment>(store.load().map((each) => [each.id, each]));
  return async (payments, now) => {
    await checkPayments(replica, payments);
    // From here on nothing is awaited, so that two batches do not share the rest of a cap.
    for (const [id, { at }] of signed) if (at + hourSeconds <= now) signed.delete(id);
    const news = payments
      .filter(({ id }) => !signed.has(id))
      .map(({ id, units }) => ({ id, units, at: now }));
    const after = [...signed.values(), ...news].reduce((sum, { units }) => sum + units, 0n);
    if (signed.size + news.length > signedPerHourMax) {
      throw new NotSigned('capReached', `it signs ${signedPerHourMax} payments in an hour`);
    }
    if (after > unitsPerHourMax) {
      const detail = `it signs ${unitsPerHourMax} units in an hour, and this makes ${after}`;
      throw new NotSigned('capReached', detail);
    }
    if (news.length === 0) return;
    // First on the disk: what is counted here may be signed again without being written.
    store.append(news, () => [...signed.values(), ...news]);
    for (const each of news) signed.set(each.id, each);
  };
}

/** What is checked without a cap: where a person decides, and before the cap. */
export async function checkPayments(
  replica: BatchReplica,
  payments: readonly Payment[],
): Promise<void> {
  if (payments.length === 0) throw new NotSigned('batchEmpty', 'the batch is empty');
  if (payments.length > paymentsPerBatchLimit) {
    throw new NotSigned('batchTooLarge', `at most ${paymentsPerBatchLimit} payments are signed`);
  }
  if (new Set(payments.map(({ id }) => id)).size < payments.length) {
    throw new NotSigned('idTwice', 'an id is in the batch twice');
  }
  const open = await replica.openByIds(payments.map(({ id }) => id));
  const wrong = payments.find((payment, at) => !isRequested(payment, open[at]));
  if (wrong !== undefined) {
    const detail = `${wrong.id} is no open withdrawal of this amount and wallet`;
    throw new NotSigned('notRequested', detail);
  }
  if (!(await replica.isConserved())) {
    throw new NotSigned('notConserved', 'the money of this replica does not add up');
  }
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
