// The fee table (MAR-6) as bytes and in a hash. The command that sets it, snapshots and both hashes
// use it.

import {
  type ByteReader,
  type ByteWriter,
  readInteger,
  readUint16,
  writeInteger,
  writeUint16,
} from '../../std/bytes.ts';
import { type Hash, hashNumber } from '../../std/hash.ts';
import type { Money, Rate } from '../../units/units.ts';
import type { FeeTier } from '../feeTier.ts';

export function encodeFeeTiers(writer: ByteWriter, tiers: readonly FeeTier[]): void {
  writeUint16(writer, tiers.length);
  for (const { minVolume, makerDiscount, takerDiscount } of tiers) {
    writeInteger(writer, minVolume);
    writeInteger(writer, makerDiscount);
    writeInteger(writer, takerDiscount);
  }
}

export function decodeFeeTiers(reader: ByteReader): FeeTier[] {
  const count = readUint16(reader);
  const tiers: FeeTier[] = [];
  for (let i = 0; i < count; i += 1) {
    const minVolume = readInteger(reader) as Money;
    const makerDiscount = readInteger(reader) as Rate;
    tiers.push({ minVolume, makerDiscount, takerDiscount: readInteger(reader) as Rate });
  }
  return tiers;
}

export function hashFeeTiers(hash: Hash, tiers: readonly FeeTier[]): void {
  hashNumber(hash, tiers.length);
  for (const { minVolume, makerDiscount, takerDiscount } of tiers) {
    hashNumber(hash, minVolume);
    hashNumber(hash, makerDiscount);
    hashNumber(hash, takerDiscount);
  }
}
