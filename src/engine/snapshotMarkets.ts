// Markets in a snapshot: grid, terms, prices, figures. Their orders stand in sections of their own
// (snapshot.ts).

import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  readText,
  readUint16,
  writeByte,
  writeInteger,
  writeText,
  writeUint16,
} from '../std/bytes.ts';
import type { Lots, MarketId, Money, Rate, Ticks, Time } from '../units/units.ts';
import { createBook } from './book/book.ts';
import { readEnumeration, writeEnumeration } from './enumeration.ts';
import {
  type Market,
  type MarketFigures,
  type MarketPrices,
  marketStatuses,
  type SourcePrice,
} from './market.ts';
import { decodeMarketTerms, encodeMarketTerms } from './marketTermsCodec.ts';

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
  };
}

function encodePrices(writer: ByteWriter, prices: MarketPrices): void {
  writeInteger(writer, prices.index);
  writeInteger(writer, prices.mark);
  writeInteger(writer, prices.premium);
  writeInteger(writer, prices.premiumAt);
  writeInteger(writer, prices.indexAt);
  writeByte(writer, prices.sources.length);
  for (const { source, ticks, observedAt } of prices.sources) {
    writeText(writer, source);
    writeInteger(writer, ticks);
    writeInteger(writer, observedAt);
  }
}

function decodePrices(reader: ByteReader): MarketPrices {
  const index = readInteger(reader) as Ticks;
  const mark = readInteger(reader) as Ticks;
  const premium = readInteger(reader);
  const premiumAt = readInteger(reader) as Time;
  const indexAt = readInteger(reader) as Time;
  const count = readByte(reader);
  const sources: SourcePrice[] = [];
  for (let i = 0; i < count; i += 1) {
    const source = readText(reader);
    const ticks = readInteger(reader) as Ticks;
    sources.push({ source, ticks, observedAt: readInteger(reader) as Time });
  }
  return { index, mark, premium, premiumAt, indexAt, sources, epoch: 0 };
}

function encodeFigures(writer: ByteWriter, figures: MarketFigures): void {
  writeInteger(writer, figures.last);
  writeInteger(writer, figures.lastAt);
  writeInteger(writer, figures.tradeId);
  writeInteger(writer, figures.longLots);
  writeInteger(writer, figures.shortLots);
  writeInteger(writer, figures.positionLots);
  writeInteger(writer, figures.entry);
}

function decodeFigures(reader: ByteReader): MarketFigures {
  return {
    last: readInteger(reader) as Ticks,
    lastAt: readInteger(reader) as Time,
    tradeId: readInteger(reader),
    longLots: readInteger(reader) as Lots,
    shortLots: readInteger(reader) as Lots,
    positionLots: readInteger(reader) as Lots,
    entry: readInteger(reader) as Money,
    epoch: 0,
  };
}
