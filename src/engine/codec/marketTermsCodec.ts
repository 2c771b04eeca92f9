// A market's terms as bytes and in a hash, whole or in part. The commands that list and change
// markets, snapshots and both hashes use it.

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  readText,
  readUint32,
  writeByte,
  writeInteger,
  writeText,
  writeUint32,
} from '../../std/bytes.ts';
import { type Hash, hashNumber, hashText } from '../../std/hash.ts';
import type { Money, Rate } from '../../units/units.ts';
import type { Bracket } from '../bracket.ts';
import { type IndexSource, type MarketTerms, underlyingTypes } from '../marketTerms.ts';
import { selfTradeModes } from '../orderTypes.ts';
import { enumerationIndex, readEnumeration, writeEnumeration } from './enumeration.ts';

// The place in this list is the field's bit on the disk: append, never reorder.
type FieldKind = 'integer' | 'selfTrade' | 'sources' | 'underlying' | 'brackets';
const fieldKinds: Record<keyof MarketTerms, FieldKind> = {
  maxLeverage: 'integer',
  maintenanceMarginRate: 'integer',
  liquidationFeeRate: 'integer',
  minOrderSize: 'integer',
  maxOrderSize: 'integer',
  openInterestCap: 'integer',
  fundingFactor: 'integer',
  maxFundingRate: 'integer',
  minFundingRate: 'integer',
  fundingIntervalHours: 'integer',
  maxMarketSlippage: 'integer',
  markClamp: 'integer',
  markBand: 'integer',
  makerFee: 'integer',
  takerFee: 'integer',
  selfTradePrevention: 'selfTrade',
  indexSources: 'sources',
  underlyingType: 'underlying',
  deliveryTime: 'integer',
  brackets: 'brackets',
  priceBand: 'integer',
  accountShareMax: 'integer',
  fundFeeShare: 'integer',
  fundTarget: 'integer',
  gapRate: 'integer',
};
const fields = Object.keys(fieldKinds) as (keyof MarketTerms)[];

/** Writes the fields that are present, in canonical order. */
export function encodeMarketTerms(writer: ByteWriter, terms: Partial<MarketTerms>): void {
  // A replica that applies the command without decoding it must get what others decode, so no field
  // may be dropped.
  for (const field of Object.keys(terms) as (keyof MarketTerms)[]) {
    assert(Object.hasOwn(fieldKinds, field), `the terms have no field ${field}`);
    assert(terms[field] !== undefined, `the field ${field} of the terms is there without a value`);
  }
  let present = 0;
  for (let i = 0; i < fields.length; i += 1) if (terms[fields[i]!] !== undefined) present |= 1 << i;
  writeUint32(writer, present);
  for (const field of fields) {
    const value = terms[field];
    if (value === undefined) continue;
    const kind = fieldKinds[field];
    if (kind === 'integer') writeInteger(writer, value as number);
    else if (kind === 'selfTrade')
      writeEnumeration(writer, selfTradeModes, terms[field as 'selfTradePrevention']);
    else if (kind === 'underlying')
      writeEnumeration(writer, underlyingTypes, terms[field as 'underlyingType']);
    else if (kind === 'brackets') encodeBrackets(writer, value as readonly Bracket[]);
    else encodeSources(writer, value as readonly IndexSource[]);
  }
}

function encodeSources(writer: ByteWriter, sources: readonly IndexSource[]): void {
  writeByte(writer, sources.length);
  for (const { source, weight } of sources) {
    writeText(writer, source);
    writeInteger(writer, weight);
  }
}

function decodeSources(reader: ByteReader): IndexSource[] {
  const count = readByte(reader);
  const sources: IndexSource[] = [];
  for (let i = 0; i < count; i += 1) {
    const source = readText(reader);
    sources.push({ source, weight: readInteger(reader) });
  }
  return sources;
}

function encodeBrackets(writer: ByteWriter, brackets: readonly Bracket[]): void {
  writeByte(writer, brackets.length);
  for (const { upTo, rate } of brackets) {
    writeInteger(writer, upTo);
    writeInteger(writer, rate);
  }
}

function decodeBrackets(reader: ByteReader): Bracket[] {
  const count = readByte(reader);
  const brackets: Bracket[] = [];
  for (let i = 0; i < count; i += 1) {
    const upTo = readInteger(reader) as Money;
    brackets.push({ upTo, rate: readInteger(reader) as Rate });
  }
  return brackets;
}

/** The fields that were written, in canonical order; the others are missing. */
export function decodePartialMarketTerms(reader: ByteReader): Partial<MarketTerms> {
  const present = readUint32(reader);
  assert(present < 2 ** fields.length, 'the bytes hold an unknown field of the terms');
  const terms: Record<string, unknown> = {};
  for (let i = 0; i < fields.length; i += 1) {
    if ((present & (1 << i)) === 0) continue;
    const field = fields[i]!;
    const kind = fieldKinds[field];
    if (kind === 'integer') terms[field] = readInteger(reader);
    else if (kind === 'selfTrade') terms[field] = readEnumeration(reader, selfTradeModes);
    else if (kind === 'underlying') terms[field] = readEnumeration(reader, underlyingTypes);
    else if (kind === 'brackets') terms[field] = decodeBrackets(reader);
    else terms[field] = decodeSources(reader);
  }
  return terms as Partial<MarketTerms>;
}

/** Whole terms. Faults when a field is missing. */
export function decodeMarketTerms(reader: ByteReader): MarketTerms {
  const terms = decodePartialMarketTerms(reader);
  assert(Object.keys(terms).length === fields.length, 'the bytes hold only a part of the terms');
  return terms as MarketTerms;
}

export function hashMarketTerms(hash: Hash, terms: MarketTerms): void {
  for (const field of fields) {
    const kind = fieldKinds[field];
    if (kind === 'integer') hashNumber(hash, terms[field] as number);
    else if (kind === 'selfTrade') {
      hashNumber(hash, enumerationIndex(selfTradeModes, terms.selfTradePrevention));
    } else if (kind === 'underlying') {
      hashNumber(hash, enumerationIndex(underlyingTypes, terms.underlyingType));
    } else if (kind === 'brackets') {
      hashNumber(hash, terms.brackets.length);
      for (const { upTo, rate } of terms.brackets) {
        hashNumber(hash, upTo);
        hashNumber(hash, rate);
      }
    } else {
      hashNumber(hash, terms.indexSources.length);
      for (const { source, weight } of terms.indexSources) {
        hashText(hash, source);
        hashNumber(hash, weight);
      }
    }
  }
}
