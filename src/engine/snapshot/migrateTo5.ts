// From format 4 to format 5 of a snapshot. Terms of markets have brackets (MAR-10), a price band
// (PRC-6), a bound of one account (MAR-11), a share of the fees for the fund (LIQ-8) and a gap.
// Markets have sums of the funding interval so far and what accounts have accrued (FUND-1b,
// FUND-1c), fees that wait to be shared (LIQ-8), and minutes of the index by time (SYM-2c). The
// head ends with the figures of tried triggers (TRG-8). Positions have a surcharge (MAR-10).

import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  writeByte,
  writeInteger,
  writeUint32,
} from '../../std/bytes.ts';
import { type Money, type Rate, rateOne } from '../../units/units.ts';
import { decodePartialMarketTerms, encodeMarketTerms } from '../codec/marketTermsCodec.ts';
import type { MarketTerms } from '../marketTerms.ts';
import {
  accountsKind,
  changeHead,
  changeItems,
  copy,
  copyBytes,
  copyKeys,
  copyList,
  copyPrices,
  copyText,
  integerBytes,
  marketsKind,
  type Sections,
} from './changeItems.ts';

export function migrateTo5(sections: Sections): Sections {
  let time = 0;
  const headed = changeHead(sections, (writer, before) => {
    // After the format and the chain.
    time = readInteger({ ...before, offset: before.offset + 4 + integerBytes });
    writeUint32(writer, 5);
    copyBytes(writer, before, 4);
    addTriedToHead(writer);
  });
  const withMarkets = changeItems(headed, marketsKind, (writer, reader) =>
    changeMarket(writer, reader, time),
  );
  return changeItems(withMarkets, accountsKind, changeAccount);
}

/** In format 4 no trigger waits after a try: the round of those due again, and the resting ones. */
function addTriedToHead(writer: ByteWriter): void {
  writeInteger(writer, 1);
  writeUint32(writer, 0);
}

/**
 * Bytes of a market: number, symbol, base asset, seven integers, terms, then others. After the
 * terms: status, raise, prices, figures, dues, minutes of the index, number of the book.
 */
function changeMarket(writer: ByteWriter, reader: ByteReader, time: number): void {
  copy(writer, reader, 2);
  copyText(writer, reader);
  copyText(writer, reader);
  copy(writer, reader, 6 * integerBytes);
  const terms = decodePartialMarketTerms(reader);
  encodeMarketTerms(writer, withRiskTerms(terms));
  // Status; raise.
  copy(writer, reader, 1 + 3 * integerBytes);
  copyPrices(writer, reader);
  changeFunding(writer, reader, { hours: terms.fundingIntervalHours ?? 24, time });
  copyList(writer, reader, () => {
    copy(writer, reader, integerBytes);
    // An index of format 4 counts for a quarter of a second, the time between two ticks.
    for (let i = 0; i < 2; i += 1) writeInteger(writer, readInteger(reader) * 250);
  });
  copy(writer, reader, integerBytes);
}

/**
 * Figures: eight integers; dues: the boundary, two integers, a flag, two integers. The interval
 * begins anew, and no fees wait. A boundary that is due will be recorded at rate 0: nothing is
 * known of what each account held in its interval.
 */
function changeFunding(
  writer: ByteWriter,
  reader: ByteReader,
  { hours, time }: { readonly hours: number; readonly time: number },
): void {
  copy(writer, reader, 8 * integerBytes);
  for (const figure of [0, 0, time, 0]) writeInteger(writer, figure);
  const funding = readInteger(reader);
  const interval = hours * 3_600_000;
  const end = (Math.floor(time / interval) + 1) * interval;
  for (const figure of [funding, 0, 0, end]) writeInteger(writer, figure);
  copy(writer, reader, 2 * integerBytes + 1 + 2 * integerBytes);
  // Shares (FUND-1c): none.
  writeUint32(writer, 0);
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

/**
 * Bytes of an account: number, address, four integers, margin mode, offset, flag, time of the last
 * step, whether it is internal, fee tier, volume, time, positions, idempotency keys, API keys.
 */
function changeAccount(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 4);
  copyText(writer, reader);
  copy(writer, reader, 4 * integerBytes + 1 + integerBytes + 1 + integerBytes + 1 + integerBytes);
  // Volume: three integers and those of the past days.
  copy(writer, reader, 3 * integerBytes);
  const days = readByte(reader);
  writeByte(writer, days);
  copy(writer, reader, (days + 1) * integerBytes);
  copyList(writer, reader, () => changePosition(writer, reader));
  copyKeys(writer, reader);
}

/** A position of a market with one bracket has no surcharge: its rate is that of the market. */
function changePosition(writer: ByteWriter, reader: ByteReader): void {
  // Market, five integers, a flag, three integers.
  copy(writer, reader, 2 + 5 * integerBytes + 1 + 3 * integerBytes);
  writeInteger(writer, 0);
  writeInteger(writer, 0);
}
