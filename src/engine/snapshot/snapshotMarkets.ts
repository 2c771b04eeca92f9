// Markets in a snapshot: grid, terms, prices, figures, dues. Their triggers and orders have
// sections of their own (snapshot.ts).

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  readText,
  readUint16,
  readUint32,
  writeFlag,
  writeInteger,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../../units/units.ts';
import { createBook } from '../book/book.ts';
import { sharesOf } from '../clearing/accrueFunding.ts';
import { createMarketRisk } from '../clearing/marketRisk.ts';
import { readEnumeration, writeEnumeration } from '../codec/enumeration.ts';
import { decodeMarketTerms, encodeMarketTerms } from '../codec/marketTermsCodec.ts';
import type {
  FundingShare,
  IndexMinute,
  Market,
  MarketDues,
  MarketFigures,
  MarketPrices,
  MarkRange,
  PendingIndex,
  SourcePrice,
} from '../market.ts';
import { marketStatuses } from '../marketTerms.ts';
import { createWaitingTriggers } from '../triggers/waitingTriggers.ts';

export function encodeMarket(writer: ByteWriter, market: Market): void {
  writeUint16(writer, market.id);
  writeText(writer, market.symbol);
  writeText(writer, market.baseAsset);
  writeInteger(writer, market.tick.decimals);
  writeInteger(writer, market.tick.step);
  writeInteger(writer, market.lot.decimals);
  writeInteger(writer, market.lot.step);
  writeInteger(writer, market.grain);
  writeInteger(writer, market.listedAt);
  encodeMarketTerms(writer, market.terms);
  writeEnumeration(writer, marketStatuses, market.status);
  writeInteger(writer, market.raise.rate);
  writeInteger(writer, market.raise.at);
  writeInteger(writer, market.raise.timer);
  encodePrices(writer, market.prices);
  encodeFigures(writer, market.figures);
  encodeDues(writer, market.dues);
  encodeShares(writer, market);
  encodeList(writer, market.indexMinutes, ({ minute, sum, ms }) => {
    writeInteger(writer, minute);
    writeInteger(writer, sum);
    writeInteger(writer, ms);
  });
  writeInteger(writer, market.book.updateId);
}

export function decodeMarket(reader: ByteReader): Market {
  const id = readUint16(reader) as MarketId;
  const symbol = readText(reader);
  const baseAsset = readText(reader);
  const tick = { decimals: readInteger(reader), step: readInteger(reader) };
  const lot = { decimals: readInteger(reader), step: readInteger(reader) };
  const grain = readInteger(reader);
  const listedAt = readInteger(reader) as Time;
  const terms = decodeMarketTerms(reader);
  const status = readEnumeration(reader, marketStatuses);
  const rate = readInteger(reader) as Rate;
  const raise = { rate, at: readInteger(reader) as Time, timer: readInteger(reader) };
  const prices = decodePrices(reader);
  const figures = decodeFigures(reader);
  const dues = decodeDues(reader);
  const shares = decodeShares(reader);
  const indexMinutes = decodeList(reader, (): IndexMinute => {
    const minute = readInteger(reader);
    const sum = readInteger(reader);
    return { minute, sum, ms: readInteger(reader) };
  });
  const book = createBook();
  book.updateId = readInteger(reader);
  return {
    id,
    symbol,
    baseAsset,
    tick,
    lot,
    grain,
    listedAt,
    terms,
    status,
    raise,
    book,
    prices,
    figures,
    dues,
    shares,
    indexMinutes,
    triggers: createWaitingTriggers(),
    risk: createMarketRisk(),
  };
}

function encodeList<T>(writer: ByteWriter, items: readonly T[], encode: (item: T) => void): void {
  writeUint16(writer, items.length);
  for (const item of items) encode(item);
}

function decodeList<T>(reader: ByteReader, decode: () => T): T[] {
  const count = readUint16(reader);
  const items: T[] = [];
  for (let i = 0; i < count; i += 1) items.push(decode());
  return items;
}

function encodePrices(writer: ByteWriter, prices: MarketPrices): void {
  writeInteger(writer, prices.index);
  writeInteger(writer, prices.mark);
  writeInteger(writer, prices.premium);
  writeInteger(writer, prices.premiumAt);
  writeInteger(writer, prices.indexAt);
  writeInteger(writer, prices.breakerUntil);
  encodeList(writer, prices.sources, ({ source, ticks, observedAt, takenAt }) => {
    writeText(writer, source);
    writeInteger(writer, ticks);
    writeInteger(writer, observedAt);
    writeInteger(writer, takenAt);
  });
  encodeList(writer, prices.pending, ({ ticks, at }) => {
    writeInteger(writer, ticks);
    writeInteger(writer, at);
  });
  encodeList(writer, prices.marks, ({ second, low, high }) => {
    writeInteger(writer, second);
    writeInteger(writer, low);
    writeInteger(writer, high);
  });
}

function decodePrices(reader: ByteReader): MarketPrices {
  const index = readInteger(reader) as Ticks;
  const mark = readInteger(reader) as Ticks;
  const premium = readInteger(reader);
  const premiumAt = readInteger(reader) as Time;
  const indexAt = readInteger(reader) as Time;
  const breakerUntil = readInteger(reader) as Time;
  const sources = decodeList(reader, (): SourcePrice => {
    const source = readText(reader);
    const ticks = readInteger(reader) as Ticks;
    const observedAt = readInteger(reader) as Time;
    return { source, ticks, observedAt, takenAt: readInteger(reader) as Time };
  });
  const pending = decodeList(reader, (): PendingIndex => {
    const ticks = readInteger(reader) as Ticks;
    return { ticks, at: readInteger(reader) as Time };
  });
  const marks = decodeList(reader, (): MarkRange => {
    const second = readInteger(reader);
    const low = readInteger(reader) as Ticks;
    return { second, low, high: readInteger(reader) as Ticks };
  });
  const lists = { sources, pending, marks };
  return { index, mark, premium, premiumAt, indexAt, ...lists, breakerUntil, epoch: 0 };
}

function encodeFigures(writer: ByteWriter, figures: MarketFigures): void {
  writeInteger(writer, figures.last);
  writeInteger(writer, figures.lastAt);
  writeInteger(writer, figures.lastRegular);
  writeInteger(writer, figures.tradeId);
  writeInteger(writer, figures.longLots);
  writeInteger(writer, figures.shortLots);
  writeInteger(writer, figures.positionLots);
  writeInteger(writer, figures.entry);
  writeInteger(writer, figures.fundingSum);
  writeInteger(writer, figures.fundingAt);
  writeInteger(writer, figures.feesToShare);
}

function decodeFigures(reader: ByteReader): MarketFigures {
  return {
    last: readInteger(reader) as Ticks,
    lastAt: readInteger(reader) as Time,
    lastRegular: readInteger(reader) as Ticks,
    tradeId: readInteger(reader),
    longLots: readInteger(reader) as Lots,
    shortLots: readInteger(reader) as Lots,
    positionLots: readInteger(reader) as Lots,
    entry: readInteger(reader) as Money,
    fundingSum: readInteger(reader),
    fundingAt: readInteger(reader) as Time,
    feesToShare: readInteger(reader) as Money,
    epoch: 0,
  };
}

function encodeDues(writer: ByteWriter, dues: MarketDues): void {
  writeInteger(writer, dues.funding);
  writeInteger(writer, dues.fundingSum);
  writeInteger(writer, dues.fundingMs);
  writeInteger(writer, dues.fundingFrom);
  writeInteger(writer, dues.fundingEnd);
  writeInteger(writer, dues.fundingTimer);
  writeInteger(writer, dues.fundedAt);
  writeFlag(writer, dues.delivery);
  writeInteger(writer, dues.deliveryTimer);
  writeInteger(writer, dues.settledAt);
}

function decodeDues(reader: ByteReader): MarketDues {
  return {
    funding: readInteger(reader) as Time,
    fundingSum: readInteger(reader),
    fundingMs: readInteger(reader),
    fundingFrom: readInteger(reader) as Time,
    fundingEnd: readInteger(reader) as Time,
    fundingTimer: readInteger(reader),
    fundedAt: readInteger(reader) as Time,
    delivery: readFlag(reader),
    deliveryTimer: readInteger(reader),
    settledAt: readInteger(reader) as Time,
  };
}

function encodeShares(writer: ByteWriter, market: Market): void {
  const shares = sharesOf(market);
  writeUint32(writer, shares.length);
  for (const { account, accrued, sum, due } of shares) {
    writeUint32(writer, account);
    writeText(writer, accrued.toString());
    writeInteger(writer, sum);
    writeText(writer, due.toString());
  }
}

function decodeShares(reader: ByteReader): Map<AccountId, FundingShare> {
  const shares = new Map<AccountId, FundingShare>();
  for (let left = readUint32(reader); left > 0; left -= 1) {
    const account = readUint32(reader) as AccountId;
    const accrued = readTotal(reader);
    const sum = readInteger(reader);
    assert(!shares.has(account), 'a share comes twice');
    shares.set(account, { account, accrued, sum, due: readTotal(reader), epoch: 0 });
  }
  return shares;
}

function readTotal(reader: ByteReader): bigint {
  const text = readText(reader);
  assert(/^-?\d{1,40}$/.test(text), 'what has accrued is no number');
  return BigInt(text);
}
