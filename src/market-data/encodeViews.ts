// Every view as sections, and back: part of the archivist's snapshot, after the engine's own
// sections. This file has the bytes of each view's rows; ended orders have a file of their own.

import { readEnumeration, writeEnumeration } from '../engine/codec/enumeration.ts';
import type { RecordCodecs } from '../engine/engine.ts';
import { withdrawalsMax } from '../engine/limits.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import { assert } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readFlag,
  readInteger,
  readUint32,
  writeFlag,
  writeInteger,
  writeUint32,
} from '../std/bytes.ts';
import { beginSection, endSection, openNextSection } from '../std/section.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Rate,
  Ticks,
  Time,
} from '../units/units.ts';
import { createDeleveragings, type Deleveraging } from './deleveragings.ts';
import { decodeMarketData, encodeMarketData } from './encodeMarketData.ts';
import { decodeEndedOrders, encodeEndedOrders, type WhenDecoded } from './endedOrdersSnapshot.ts';
import { createEndedTriggers } from './endedTriggers.ts';
import { autoCloseTypes, createForceOrders, type ForceOrder } from './forceOrders.ts';
import { countsOf, createRiskCounts, type RiskCounts } from './riskCounts.ts';
import {
  addEarlier,
  type RowIndex,
  type RowRing,
  rememberRow,
  rowCount,
  rowsInOrder,
} from './rowRing.ts';
import { encodeRows, type RowSnapshot, type RowsOutput, takeRows } from './rowSnapshot.ts';
import { createSettledFunding, type SettledBoundary } from './settledFunding.ts';
import type { Views } from './views.ts';
import {
  addPending,
  createWithdrawals,
  type WithdrawalRow,
  withdrawalStatuses,
} from './withdrawals.ts';

const countsKind = 46;

const triggersBy = (codecs: RecordCodecs): RowSnapshot<Readonly<Trigger>> => ({
  headKind: 34,
  rowsKind: 35,
  encode: codecs.encodeTrigger,
  decode: codecs.decodeTrigger,
});

const forceOrders: RowSnapshot<ForceOrder> = {
  headKind: 36,
  rowsKind: 37,
  encode: (writer, row) => {
    writeInteger(writer, row.id);
    writeUint32(writer, row.account);
    writeUint32(writer, row.market);
    writeSide(writer, row.side);
    writeEnumeration(writer, autoCloseTypes, row.autoCloseType);
    writeInteger(writer, row.ticks);
    writeInteger(writer, row.lots);
    writeInteger(writer, row.filled);
    writeInteger(writer, row.notional);
    writeInteger(writer, row.time);
  },
  decode: (reader) => ({
    id: readInteger(reader) as OrderId,
    account: readUint32(reader) as AccountId,
    market: readUint32(reader) as MarketId,
    side: readSide(reader),
    autoCloseType: readEnumeration(reader, autoCloseTypes),
    ticks: readInteger(reader) as Ticks,
    lots: readInteger(reader) as Lots,
    filled: readInteger(reader) as Lots,
    notional: readInteger(reader) as Money,
    time: readInteger(reader) as Time,
  }),
};

const causes = ['deleveraging', 'fund_reduction'] as const;

const deleveragings: RowSnapshot<Deleveraging> = {
  headKind: 38,
  rowsKind: 39,
  encode: (writer, row) => {
    writeInteger(writer, row.id);
    writeUint32(writer, row.market);
    writeInteger(writer, row.time);
    writeEnumeration(writer, causes, row.cause);
    writeSide(writer, row.side);
    writeInteger(writer, row.ticks);
    writeInteger(writer, row.mark);
    writeInteger(writer, row.lots);
    writeInteger(writer, row.unrealized);
    writeInteger(writer, row.notional);
    writeInteger(writer, row.entry);
    writeInteger(writer, row.equity);
  },
  decode: (reader) => ({
    id: readInteger(reader) as OrderId,
    market: readUint32(reader) as MarketId,
    time: readInteger(reader) as Time,
    cause: readEnumeration(reader, causes),
    side: readSide(reader),
    ticks: readInteger(reader) as Ticks,
    mark: readInteger(reader) as Ticks,
    lots: readInteger(reader) as Lots,
    unrealized: readInteger(reader) as Money,
    notional: readInteger(reader) as Money,
    entry: readInteger(reader) as Money,
    equity: readInteger(reader) as Money,
  }),
};

const encodeWithdrawal = (writer: ByteWriter, row: WithdrawalRow): void => {
  writeInteger(writer, row.id);
  writeUint32(writer, row.account);
  writeInteger(writer, row.amount);
  writeInteger(writer, row.createdAt);
  writeEnumeration(writer, withdrawalStatuses, row.status);
  writeInteger(writer, row.resolvedAt);
};

const decodeWithdrawal = (reader: ByteReader): WithdrawalRow => ({
  id: readInteger(reader) as OrderId,
  account: readUint32(reader) as AccountId,
  amount: readInteger(reader) as Money,
  createdAt: readInteger(reader) as Time,
  status: readEnumeration(reader, withdrawalStatuses),
  resolvedAt: readInteger(reader) as Time,
});

const withdrawal = { encode: encodeWithdrawal, decode: decodeWithdrawal };
const endedWithdrawals: RowSnapshot<WithdrawalRow> = { headKind: 40, rowsKind: 41, ...withdrawal };
const pendingWithdrawals: RowSnapshot<WithdrawalRow> = {
  headKind: 42,
  rowsKind: 43,
  ...withdrawal,
};

const settledFunding: RowSnapshot<SettledBoundary> = {
  headKind: 44,
  rowsKind: 45,
  encode: (writer, row) => {
    writeInteger(writer, row.id);
    writeUint32(writer, row.market);
    writeInteger(writer, row.boundary);
    writeInteger(writer, row.rate);
    writeInteger(writer, row.mark);
  },
  decode: (reader) => ({
    id: readInteger(reader),
    market: readUint32(reader) as MarketId,
    boundary: readInteger(reader) as Time,
    rate: readInteger(reader) as Rate,
    mark: readInteger(reader) as Ticks,
  }),
};

const writeSide = (writer: ByteWriter, side: Side): void => writeFlag(writer, side < 0);
const readSide = (reader: ByteReader): Side => (readFlag(reader) ? -1 : 1);

/** Gives the sections of all views; the receiver owns each. The codecs are the engine's. */
export function encodeViews(
  views: Views,
  codecs: RecordCodecs,
  emit: (section: Buffer) => void,
): void {
  writeViews(views, codecs, { emit, isListed: false });
}

/** The same, but what ended can be decoded later. No migration can change these sections. */
export function encodeListedViews(
  views: Views,
  codecs: RecordCodecs,
  emit: (section: Buffer) => void,
): void {
  writeViews(views, codecs, { emit, isListed: true });
}

function writeViews(views: Views, codecs: RecordCodecs, ended: RowsOutput): void {
  const { pending } = views.withdrawals;
  const { emit } = ended;
  const output = { emit, isListed: false };
  encodeEndedOrders(views.endedOrders, codecs, ended);
  encodeRing(triggersBy(codecs), views.endedTriggers, ended);
  encodeRing(forceOrders, views.forceOrders, output);
  encodeRing(deleveragings, views.deleveragings, output);
  encodeRing(endedWithdrawals, views.withdrawals, output);
  const waiting = { max: withdrawalsMax, count: pending.size, all: pending.values() };
  encodeRows(pendingWithdrawals, waiting, output);
  encodeRing(settledFunding, views.settledFunding, output);
  emit(encodeCounts(views.riskCounts));
  encodeMarketData(views.markets, emit);
}

/**
 * The views again. Takes only its own sections. Faults on anything missing or damaged. `later`:
 * what ended is decoded when it is asked for, or by `decodeEnded`.
 */
export function decodeViews(
  sections: Iterator<Buffer> & Iterable<Buffer>,
  codecs: RecordCodecs,
  when: WhenDecoded = 'now',
): Views {
  return {
    endedOrders: decodeEndedOrders(sections, codecs, when),
    endedTriggers: decodeEndedTriggers(sections, codecs, when),
    forceOrders: decodeRing(forceOrders, createForceOrders, sections),
    deleveragings: decodeRing(deleveragings, createDeleveragings, sections),
    withdrawals: decodeWithdrawals(sections),
    settledFunding: decodeRing(settledFunding, createSettledFunding, sections),
    riskCounts: decodeCounts(sections),
    markets: decodeMarketData(sections),
  };
}

function decodeEndedTriggers(
  sections: Iterator<Buffer>,
  codecs: RecordCodecs,
  when: WhenDecoded,
): Views['endedTriggers'] {
  if (when === 'now') return decodeRing(triggersBy(codecs), createEndedTriggers, sections);
  const { max, count, next } = takeRows(triggersBy(codecs), sections);
  const ended = createEndedTriggers(max);
  addEarlier(ended, { count, next });
  return ended;
}

function encodeRing<Row, Index extends RowIndex<Row>>(
  snapshot: RowSnapshot<Row>,
  view: RowRing<Row, Index>,
  output: RowsOutput,
): void {
  encodeRows(snapshot, { max: view.max, count: rowCount(view), all: rowsInOrder(view) }, output);
}

function decodeRing<Row, Index extends RowIndex<Row>, View extends RowRing<Row, Index>>(
  snapshot: RowSnapshot<Row>,
  create: (max: number) => View,
  sections: Iterator<Buffer>,
): View {
  const { max, count, next } = takeRows(snapshot, sections);
  const view = create(max);
  for (let i = 0; i < count; i += 1) rememberRow(view, next());
  return view;
}

function decodeWithdrawals(sections: Iterator<Buffer>): Views['withdrawals'] {
  const withdrawals = decodeRing(endedWithdrawals, createWithdrawals, sections);
  const { count, next } = takeRows(pendingWithdrawals, sections);
  for (let i = 0; i < count; i += 1) addPending(withdrawals, next());
  return withdrawals;
}

function encodeCounts({ markets, flagged }: RiskCounts): Buffer {
  const writer = createByteWriter();
  beginSection(writer);
  writeInteger(writer, flagged);
  writeUint32(writer, markets.length);
  for (const counts of markets) {
    writeInteger(writer, counts.indexRefusals);
    writeInteger(writer, counts.breakerTrips);
    writeInteger(writer, counts.liquidations);
    writeInteger(writer, counts.takeovers);
    writeInteger(writer, counts.deleveragings);
  }
  return endSection(writer, countsKind);
}

function decodeCounts(sections: Iterator<Buffer>): RiskCounts {
  const reader = openNextSection(sections, countsKind);
  const counts = createRiskCounts();
  counts.flagged = readInteger(reader);
  const size = readUint32(reader);
  for (let market = 0; market < size; market += 1) {
    Object.assign(countsOf(counts, market as MarketId), {
      indexRefusals: readInteger(reader),
      breakerTrips: readInteger(reader),
      liquidations: readInteger(reader),
      takeovers: readInteger(reader),
      deleveragings: readInteger(reader),
    });
  }
  assert(reader.offset === reader.end, 'the counts hold more than they should');
  return counts;
}
