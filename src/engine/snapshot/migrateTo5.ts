// From format 4 to format 5 of a snapshot. Terms of markets have brackets (MAR-10), a price band
// (PRC-6), a bound of one account (MAR-11), a share of the fees for the fund (LIQ-8) and a gap.

import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readText,
  readUint16,
  readUint32,
  reserveBytes,
  takeBytes,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { beginSection, endSection, openSection } from '../../std/section.ts';
import { type Money, type Rate, rateOne } from '../../units/units.ts';
import { decodePartialMarketTerms, encodeMarketTerms } from '../codec/marketTermsCodec.ts';
import type { MarketTerms } from '../marketTerms.ts';
import { changeHead, copyBytes } from './migrateTo3.ts';

const marketsKind = 2;
const integerBytes = 8;

type Sections = Iterable<Buffer>;

export function migrateTo5(sections: Sections): Sections {
  const headed = changeHead(sections, (writer, before) => {
    writeUint32(writer, 5);
    copyBytes(writer, before, 4);
  });
  return changeItems(headed, marketsKind, changeMarket);
}

/**
 * Bytes of a market: number, symbol, base asset, seven integers, terms, then others. After the
 * terms: status, raise, prices, figures, dues, minutes of the index, number of the book.
 */
function changeMarket(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 2);
  copyText(writer, reader);
  copyText(writer, reader);
  copy(writer, reader, 6 * integerBytes);
  encodeMarketTerms(writer, withRiskTerms(decodePartialMarketTerms(reader)));
  // Status; raise.
  copy(writer, reader, 1 + 3 * integerBytes);
  copyPrices(writer, reader);
  // Figures; dues: three integers, a flag, two integers.
  copy(writer, reader, 8 * integerBytes);
  copy(writer, reader, 3 * integerBytes + 1 + 2 * integerBytes);
  copyList(writer, reader, () => copy(writer, reader, 3 * integerBytes));
  copy(writer, reader, integerBytes);
}

/**
 * Values that change nothing that stands: one bracket at the rate of the market, an account may
 * hold a whole side, no fees go to the fund. The price band is the default of a new market, because
 * it bounds only what is placed from now on, and without it trades far from the mark would stay
 * possible in the older markets (PRC-6).
 */
function withRiskTerms(terms: Partial<MarketTerms>): Partial<MarketTerms> {
  const { maintenanceMarginRate, openInterestCap, maxLeverage = 0 } = terms;
  return {
    ...terms,
    brackets: [{ upTo: openInterestCap as Money, rate: maintenanceMarginRate as Rate }],
    priceBand: (maxLeverage >= 50 ? 5_000_000 : 10_000_000) as Rate,
    accountShareMax: rateOne,
    fundFeeShare: 0 as Rate,
    fundTarget: 0 as Money,
    gapRate: 5_000_000 as Rate,
  };
}

/** Six integers; sources, refused indexes, marks of the breaker's window. */
function copyPrices(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 6 * integerBytes);
  copyList(writer, reader, () => {
    copyText(writer, reader);
    copy(writer, reader, 3 * integerBytes);
  });
  copyList(writer, reader, () => copy(writer, reader, 2 * integerBytes));
  copyList(writer, reader, () => copy(writer, reader, 3 * integerBytes));
}

/** The same sections; those of one kind with other items, as many as before. */
function* changeItems(
  sections: Sections,
  changedKind: number,
  change: (writer: ByteWriter, reader: ByteReader) => void,
): Generator<Buffer> {
  for (const section of sections) {
    const { kind, reader } = openSection(section);
    if (kind !== changedKind) {
      yield section;
      continue;
    }
    const writer = createByteWriter();
    beginSection(writer);
    const count = readUint32(reader);
    writeUint32(writer, count);
    for (let i = 0; i < count; i += 1) change(writer, reader);
    yield endSection(writer, kind);
  }
}

function copy(writer: ByteWriter, reader: ByteReader, bytes: number): void {
  const from = takeBytes(reader, bytes);
  const at = reserveBytes(writer, bytes);
  reader.buffer.copy(writer.buffer, at, from, from + bytes);
}

const copyText = (writer: ByteWriter, reader: ByteReader): void =>
  writeText(writer, readText(reader));

function copyList(writer: ByteWriter, reader: ByteReader, copyItem: () => void): void {
  const count = readUint16(reader);
  writeUint16(writer, count);
  for (let i = 0; i < count; i += 1) copyItem();
}
