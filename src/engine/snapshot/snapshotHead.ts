// The head of a snapshot: its format, single figures of the state, and the lengths of the lists
// that follow, so that a missing section is a fault. snapshot.ts has the sections.

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readInteger,
  readUint32,
  writeInteger,
  writeUint32,
} from '../../std/bytes.ts';
import type { Money, Time } from '../../units/units.ts';
import { decodeFeeTiers, encodeFeeTiers } from '../codec/feeTiersCodec.ts';
import { decodeReferralTerms, encodeReferralTerms } from '../codec/referralTerms.ts';
import { createExchange, type Exchange, type Funds } from '../exchange.ts';
import { accountsMax } from '../limits.ts';
import { decodeVault, encodeVault, fundedByVault, readTotal, writeTotal } from './encodeVault.ts';
import { decodeFundPeaks, encodeFundPeaks } from './snapshotLists.ts';

/** Raised with every change of the sections; migrations.ts converts from the format before. */
export const snapshotFormat = 9;

/**
 * The number of due triggers without a place in a round, and with one (TRG-6), and of those that
 * rest after a try (TRG-8).
 */
type DueCounts = { readonly due: number; readonly placed: number; readonly tried: number };

/** Writes the head into a section that `beginSection` began. */
export function encodeHead(
  writer: ByteWriter,
  exchange: Exchange,
  { due, placed, tried }: DueCounts,
): void {
  writeUint32(writer, snapshotFormat);
  writeInteger(writer, exchange.chainId);
  writeInteger(writer, exchange.time);
  writeInteger(writer, exchange.sequence);
  writeUint32(writer, exchange.markets.length);
  writeUint32(writer, exchange.accountByAddress.size);
  writeUint32(writer, exchange.orders.size);
  writeUint32(writer, exchange.credits.size);
  writeUint32(writer, exchange.nonces.size);
  writeUint32(writer, exchange.timers.items.length);
  writeUint32(writer, exchange.triggers.size);
  writeUint32(writer, exchange.withdrawals.size);
  encodeFunds(writer, exchange.funds);
  encodeFundPeaks(writer, exchange.fundPeaks);
  encodeFeeTiers(writer, exchange.feeTiers);
  writeUint32(writer, exchange.guests.waiting.items.length);
  writeUint32(writer, exchange.guests.vacancies.items.length);
  writeUint32(writer, exchange.guests.numbersKept);
  writeUint32(writer, exchange.accounts.length);
  writeUint32(writer, due);
  const { reducing, retrying, opening } = exchange.due;
  const places = reducing.places.size + retrying.places.size + opening.places.size;
  writeUint32(writer, placed);
  writeUint32(writer, places);
  writeUint32(writer, exchange.expiring.length);
  writeInteger(writer, reducing.round);
  writeInteger(writer, opening.round);
  writeInteger(writer, retrying.round);
  writeUint32(writer, tried);
  writeUint32(writer, exchange.pairs.size);
  encodeReferralTerms(writer, exchange.referralTerms);
  const { armed, queue, turn } = exchange.connections;
  writeUint32(writer, armed.size);
  writeUint32(writer, queue.length);
  writeUint32(writer, turn);
  encodeVault(writer, exchange.vault);
  writeUint32(writer, exchange.vault.parked.size);
  writeUint32(writer, fundedByVault(exchange).length);
  writeUint32(writer, exchange.vault.paid.size);
}

type Lists = 'markets' | 'accounts' | 'orders' | 'credits' | 'nonces' | 'timers';
export type Counts = Record<
  | Lists
  | ('triggers' | 'withdrawals' | 'guests' | 'vacancies')
  | ('due' | 'placed' | 'places' | 'expiring' | 'tried')
  | ('pairs' | 'armed' | 'ended' | 'parked' | 'funded' | 'paid'),
  number
>;

/** An exchange without records, and the number of records in the sections after the head. */
export function decodeHead(reader: ByteReader): { exchange: Exchange; counts: Counts } {
  assert(readUint32(reader) === snapshotFormat, 'a snapshot of another format');
  const exchange = createExchange(readInteger(reader));
  // The fund is read with the other accounts.
  exchange.accounts.length = 0;
  exchange.accountByAddress.clear();
  exchange.time = readInteger(reader) as Time;
  exchange.sequence = readInteger(reader);
  const lists = {
    markets: readUint32(reader),
    accounts: readUint32(reader),
    orders: readUint32(reader),
    credits: readUint32(reader),
    nonces: readUint32(reader),
    timers: readUint32(reader),
    triggers: readUint32(reader),
    withdrawals: readUint32(reader),
  };
  decodeFunds(reader, exchange.funds);
  exchange.fundPeaks = decodeFundPeaks(reader);
  exchange.feeTiers = decodeFeeTiers(reader);
  const counts = { ...lists, guests: readUint32(reader), vacancies: readUint32(reader) };
  exchange.guests.numbersKept = readUint32(reader);
  const numbers = readUint32(reader);
  assert(numbers <= accountsMax, 'there are more numbers of accounts than there may be');
  for (let i = 0; i < numbers; i += 1) exchange.accounts.push(undefined);
  const due = readUint32(reader);
  const ofDue = {
    placed: readUint32(reader),
    places: readUint32(reader),
    expiring: readUint32(reader),
  };
  exchange.due.reducing.round = readInteger(reader);
  exchange.due.opening.round = readInteger(reader);
  exchange.due.retrying.round = readInteger(reader);
  const tried = readUint32(reader);
  const pairs = readUint32(reader);
  exchange.referralTerms = decodeReferralTerms(reader);
  const armed = readUint32(reader);
  const ended = readUint32(reader);
  exchange.connections.turn = readUint32(reader);
  decodeVault(reader, exchange.vault);
  const ofVault = {
    parked: readUint32(reader),
    funded: readUint32(reader),
    paid: readUint32(reader),
  };
  assert(reader.offset === reader.end, 'the first section holds more than its head');
  return { exchange, counts: { ...counts, due, ...ofDue, tried, pairs, armed, ended, ...ofVault } };
}

function encodeFunds(writer: ByteWriter, funds: Funds): void {
  writeInteger(writer, funds.feeRevenue);
  writeInteger(writer, funds.referralPayable);
  writeInteger(writer, funds.pendingWithdrawals);
  writeInteger(writer, funds.shortfall);
  writeTotal(writer, funds.deposits);
  writeTotal(writer, funds.withdrawals);
}

function decodeFunds(reader: ByteReader, funds: Funds): void {
  funds.feeRevenue = readInteger(reader) as Money;
  funds.referralPayable = readInteger(reader) as Money;
  funds.pendingWithdrawals = readInteger(reader) as Money;
  funds.shortfall = readInteger(reader) as Money;
  funds.deposits = readTotal(reader);
  funds.withdrawals = readTotal(reader);
}
