// The flat lists of a snapshot: credits, nonces, timers, withdrawals, guests and vacancies, due
// triggers, the fund's peaks.

import { assert, must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readInteger,
  readText,
  readUint16,
  readUint32,
  writeInteger,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { heapPush } from '../../std/heap.ts';
import type { AccountId, MarketId, Money, OrderId, Time } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { readEnumeration, writeEnumeration } from '../codec/enumeration.ts';
import type { CreditRecord, Exchange, Expiring, FundPeak, Timer, Withdrawal } from '../exchange.ts';
import { isKeptByNothing, placeGuest, type Vacancy } from '../guests.ts';
import { isAwaited, schedule } from '../timers.ts';
import type { Trigger } from '../trigger.ts';
import {
  type DueQueues,
  dueKinds,
  type Place,
  type Placed,
  queueOf,
  queuesInOrder,
} from '../triggers/dueQueue.ts';
import { wavesOf } from '../triggers/wave.ts';
import { withdrawalStates } from '../vaultLedger.ts';

type NamedCredit = readonly [reference: string, credit: CreditRecord];
type NamedNonce = readonly [nonce: string, expiresAt: Time];

/** The kinds of timers; the place is the number on the disk: append, never reorder. */
export const timerKinds = [
  'countdown',
  'nonce',
  'maintenance',
  'funding',
  'delivery',
  'goodTill',
] as const satisfies readonly Timer['kind'][];

export function encodeCredit(writer: ByteWriter, [reference, credit]: NamedCredit): void {
  writeText(writer, reference);
  writeUint32(writer, credit.account);
  writeInteger(writer, credit.amount);
}

export function decodeCredit(reader: ByteReader): NamedCredit {
  const reference = readText(reader);
  const account = readUint32(reader) as AccountId;
  return [reference, { account, amount: readInteger(reader) as Money }];
}

export function addCredit(exchange: Exchange, [reference, credit]: NamedCredit): void {
  const account = must(exchange.accounts[credit.account], 'a credit has an account');
  assert(!exchange.credits.has(reference), 'a credit comes twice');
  account.funded = true;
  exchange.credits.set(reference, credit);
}

export function encodeNonce(writer: ByteWriter, [nonce, expiresAt]: NamedNonce): void {
  writeText(writer, nonce);
  writeInteger(writer, expiresAt);
}

export function decodeNonce(reader: ByteReader): NamedNonce {
  const nonce = readText(reader);
  return [nonce, readInteger(reader) as Time];
}

export function addNonce(exchange: Exchange, [nonce, expiresAt]: NamedNonce): void {
  assert(!exchange.nonces.has(nonce), 'a nonce comes twice');
  exchange.nonces.set(nonce, expiresAt);
}

// Timers come in the order in which they run.

export function encodeTimer(writer: ByteWriter, timer: Timer): void {
  writeInteger(writer, timer.time);
  writeInteger(writer, timer.id);
  writeEnumeration(writer, timerKinds, timer.kind);
  writeUint32(writer, timer.account);
  writeUint16(writer, timer.market);
  writeText(writer, timer.nonce);
}

export function decodeTimer(reader: ByteReader): Omit<Timer, 'slot'> {
  const time = readInteger(reader) as Time;
  const id = readInteger(reader);
  const kind = readEnumeration(reader, timerKinds);
  const account = readUint32(reader) as AccountId;
  const market = readUint16(reader) as MarketId;
  return { time, id, kind, account, market, nonce: readText(reader) };
}

/**
 * Adds a timer, after everything that may wait for it. A timer for which nothing waits comes from a
 * state of format 2, in which replaced timers stayed; it is dropped.
 */
export function addTimer(exchange: Exchange, timer: Omit<Timer, 'slot'>): void {
  if (isAwaited(exchange, timer)) schedule(exchange, timer);
}

type NamedGuest = Pick<Account, 'id' | 'guestSince'>;

export function encodeGuest(writer: ByteWriter, { id, guestSince }: NamedGuest): void {
  writeUint32(writer, id);
  writeInteger(writer, guestSince);
}

export function decodeGuest(reader: ByteReader): NamedGuest {
  const id = readUint32(reader) as AccountId;
  return { id, guestSince: readInteger(reader) as Time };
}

export function addGuest(exchange: Exchange, { id, guestSince }: NamedGuest): void {
  const account = must(exchange.accounts[id], 'a guest has an account');
  assert(isKeptByNothing(account) && account.guestSlot < 0, 'a guest comes once');
  placeGuest(exchange, account, guestSince);
}

export function encodeVacancy(writer: ByteWriter, { id, since }: Vacancy): void {
  writeUint32(writer, id);
  writeInteger(writer, since);
}

export function decodeVacancy(reader: ByteReader): Vacancy {
  const id = readUint32(reader) as AccountId;
  return { id, since: readInteger(reader) as Time };
}

export function addVacancy({ accounts, guests }: Exchange, vacancy: Vacancy): void {
  const { id } = vacancy;
  const isVacant = accounts[id] === undefined && id < accounts.length && id >= guests.numbersKept;
  assert(isVacant, 'a vacant number has no account');
  heapPush(guests.vacancies, vacancy);
}

export function encodeWithdrawal(writer: ByteWriter, withdrawal: Withdrawal): void {
  writeInteger(writer, withdrawal.id);
  writeUint32(writer, withdrawal.account);
  writeInteger(writer, withdrawal.amount);
  writeInteger(writer, withdrawal.createdAt);
  writeInteger(writer, withdrawal.fee);
  writeEnumeration(writer, withdrawalStates, withdrawal.state);
}

export function decodeWithdrawal(reader: ByteReader): Withdrawal {
  const id = readInteger(reader) as OrderId;
  const account = readUint32(reader) as AccountId;
  const amount = readInteger(reader) as Money;
  const createdAt = readInteger(reader) as Time;
  const fee = readInteger(reader) as Money;
  const state = readEnumeration(reader, withdrawalStates);
  return { id, account, amount, createdAt, fee, state };
}

export function addWithdrawal(exchange: Exchange, withdrawal: Withdrawal): void {
  const account = must(exchange.accounts[withdrawal.account], 'a withdrawal has an account');
  assert(!exchange.withdrawals.has(withdrawal.id), 'a withdrawal comes twice');
  exchange.withdrawals.set(withdrawal.id, withdrawal);
  account.waitingWithdrawals += 1;
}

// What is due: triggers, last places of accounts (TRG-6), settled markets (SYM-2b).

/** Those without a place, in their order. */
export function addWaves(queues: DueQueues, due: readonly Trigger[]): void {
  for (const queue of queuesInOrder(queues)) {
    queue.waves = wavesOf(due.filter((trigger) => queueOf(queues, trigger) === queue));
  }
}

export function encodePlaced(writer: ByteWriter, { trigger, round }: Placed): void {
  writeInteger(writer, trigger.id);
  writeInteger(writer, round);
}

export function encodePlace(writer: ByteWriter, { kind, account, round }: Place): void {
  writeEnumeration(writer, dueKinds, kind);
  writeUint32(writer, account);
  writeInteger(writer, round);
}

export function decodePlace(reader: ByteReader): Place {
  const kind = readEnumeration(reader, dueKinds);
  const account = readUint32(reader) as AccountId;
  return { kind, account, round: readInteger(reader) };
}

export function addPlace(due: DueQueues, place: Place): void {
  const { places } = due[place.kind];
  assert(!places.has(place.account), 'an account has one last place');
  places.set(place.account, place.round);
}

export function encodeExpiring(writer: ByteWriter, { market, account }: Expiring): void {
  writeUint16(writer, market);
  writeUint32(writer, account);
}

export function decodeExpiring(reader: ByteReader): Expiring {
  const market = readUint16(reader) as MarketId;
  return { market, account: readUint32(reader) as AccountId };
}

export function encodeFundPeaks(writer: ByteWriter, peaks: readonly FundPeak[]): void {
  writeUint16(writer, peaks.length);
  for (const { slot, equity } of peaks) {
    writeInteger(writer, slot);
    writeInteger(writer, equity);
  }
}

export function decodeFundPeaks(reader: ByteReader): FundPeak[] {
  const count = readUint16(reader);
  const peaks: FundPeak[] = [];
  for (let i = 0; i < count; i += 1) {
    const slot = readInteger(reader);
    peaks.push({ slot, equity: readInteger(reader) as Money });
  }
  return peaks;
}
