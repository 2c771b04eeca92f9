// Funding of format 5 for format 6 (FUND-1b, FUND-1c): payments are by the length of the interval,
// and a market knows when its interval began. Format 5 knew the time of it that had open interest.

import {
  type ByteReader,
  type ByteWriter,
  readInteger,
  readUint32,
  writeInteger,
  writeUint32,
} from '../../std/bytes.ts';
import { decodePartialMarketTerms } from '../codec/marketTermsCodec.ts';
import {
  changeItems,
  copy,
  copyList,
  copyPrices,
  copyText,
  integerBytes,
  marketsKind,
  type Sections,
} from './changeItems.ts';

export function changeFundingFrom5(sections: Sections): Sections {
  return changeItems(sections, marketsKind, changeMarket);
}

/**
 * Bytes of a market: number, symbol, base asset, six integers, terms, status, raise, prices,
 * figures, dues, shares, minutes of the index, number of the book.
 */
function changeMarket(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 2);
  copyText(writer, reader);
  copyText(writer, reader);
  copy(writer, reader, 6 * integerBytes);
  const start = reader.offset;
  const { fundingIntervalHours = 24 } = decodePartialMarketTerms(reader);
  const end = reader.offset;
  reader.offset = start;
  copy(writer, reader, end - start);
  copy(writer, reader, 1 + 3 * integerBytes);
  copyPrices(writer, reader);
  changeInterval(writer, reader, fundingIntervalHours * 3_600_000);
  const shares = readUint32(reader);
  writeUint32(writer, shares);
  for (let i = 0; i < shares; i += 1) {
    copy(writer, reader, 4);
    copyText(writer, reader);
    copy(writer, reader, integerBytes);
    copyText(writer, reader);
  }
  copyList(writer, reader, () => copy(writer, reader, 3 * integerBytes));
  copy(writer, reader, integerBytes);
}

/**
 * Of the figures the time with open interest is dropped; to the dues the begin of the interval is
 * added. An interval counts as long as its terms say, or as the time with open interest when the
 * operator has shortened it: so both the interval under way and the boundary that is due pay at
 * most the cap of the rate, and no account pays more than by format 5.
 */
function changeInterval(writer: ByteWriter, reader: ByteReader, interval: number): void {
  copy(writer, reader, 8 * integerBytes);
  const sum = readInteger(reader);
  const ms = readInteger(reader);
  const at = readInteger(reader);
  writeInteger(writer, sum);
  writeInteger(writer, at);
  // The fees that wait.
  copy(writer, reader, integerBytes);
  const due = readInteger(reader);
  writeInteger(writer, due);
  copy(writer, reader, integerBytes);
  const dueMs = readInteger(reader);
  writeInteger(writer, due === 0 ? 0 : Math.max(dueMs, interval));
  const end = readInteger(reader);
  writeInteger(writer, Math.min(end - interval, at - ms));
  writeInteger(writer, end);
  // The timer, the boundary before; the delivery and its timer; the end of the market.
  copy(writer, reader, 2 * integerBytes + 1 + 2 * integerBytes);
}
