// The market data as sections, and back: a head with the number of rows of every table, then all
// rows, table by table, the oldest first.

import { assert } from '../std/assert.ts';
import {
  type ByteReader,
  createByteWriter,
  readInteger,
  readUint32,
  writeInteger,
  writeUint32,
} from '../std/bytes.ts';
import { type NumberRing, pushNumbers, rowOf } from '../std/numberRing.ts';
import { beginSection, endSection, openNextSection, sectionBytesTarget } from '../std/section.ts';
import { createMarketData, type MarketData, tablesOf } from './marketData.ts';
import { restoreDay } from './rollingDay.ts';

const headKind = 47;
const rowsKind = 48;

/** Gives the sections; the receiver owns each. */
export function encodeMarketData(
  markets: readonly MarketData[],
  emit: (section: Buffer) => void,
): void {
  const writer = createByteWriter(sectionBytesTarget * 2);
  beginSection(writer);
  writeUint32(writer, markets.length);
  for (const data of markets) for (const { size } of tablesOf(data)) writeUint32(writer, size);
  emit(endSection(writer, headKind));
  beginSection(writer);
  const empty = writer.length;
  for (const data of markets) {
    for (const ring of tablesOf(data)) {
      for (let index = 0; index < ring.size; index += 1) {
        const at = rowOf(ring, index);
        for (let i = at; i < at + ring.width; i += 1) writeInteger(writer, ring.values[i]!);
        if (writer.length < sectionBytesTarget) continue;
        emit(endSection(writer, rowsKind));
        beginSection(writer);
      }
    }
  }
  if (writer.length > empty) emit(endSection(writer, rowsKind));
}

/** The data again. Takes only its own sections. Faults on anything missing or damaged. */
export function decodeMarketData(sections: Iterator<Buffer>): MarketData[] {
  const head = openNextSection(sections, headKind);
  const markets: MarketData[] = [];
  const claims: Claim[] = [];
  const count = readUint32(head);
  for (let market = 0; market < count; market += 1) {
    const data = createMarketData();
    markets.push(data);
    for (const ring of tablesOf(data)) claims.push({ ring, size: readUint32(head) });
  }
  assert(head.offset === head.end, 'the head of the market data holds more than it should');
  readRows(claims, sections);
  for (const { day } of markets) restoreDay(day, day.entries);
  return markets;
}

type Claim = { readonly ring: NumberRing; readonly size: number };

function readRows(claims: readonly Claim[], sections: Iterator<Buffer>): void {
  let reader: ByteReader | undefined;
  for (const { ring, size } of claims) {
    assert(size <= ring.max, 'a table of the market data holds more than it may');
    for (let row = 0; row < size; row += 1) {
      if (reader === undefined || reader.offset === reader.end) {
        reader = openNextSection(sections, rowsKind);
      }
      const at = pushNumbers(ring);
      for (let i = at; i < at + ring.width; i += 1) ring.values[i] = readInteger(reader);
    }
  }
  assert(
    reader === undefined || reader.offset === reader.end,
    'the rows of the market data are more than their head says',
  );
}
