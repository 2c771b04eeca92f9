// The terms of referral (NAT-4) as bytes and in a hash. The command that sets them, snapshots and
// both hashes use them.

import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  writeFlag,
  writeInteger,
} from '../../std/bytes.ts';
import { type Hash, hashNumber, hashPair } from '../../std/hash.ts';
import type { Rate } from '../../units/units.ts';
import type { ReferralTerms } from '../referral.ts';
import type { SetReferralTerms } from '../referralCommand.ts';

export function encodeSetReferralTerms(writer: ByteWriter, command: SetReferralTerms): void {
  encodeReferralTerms(writer, command.terms);
}

export function decodeSetReferralTerms(reader: ByteReader): SetReferralTerms {
  return { kind: 'setReferralTerms', terms: decodeReferralTerms(reader) };
}

export function encodeReferralTerms(writer: ByteWriter, terms: ReferralTerms): void {
  writeFlag(writer, terms.enabled);
  writeInteger(writer, terms.discount);
  writeInteger(writer, terms.share);
}

export function decodeReferralTerms(reader: ByteReader): ReferralTerms {
  const enabled = readFlag(reader);
  const discount = readInteger(reader) as Rate;
  return { enabled, discount, share: readInteger(reader) as Rate };
}

export function hashReferralTerms(hash: Hash, { enabled, discount, share }: ReferralTerms): void {
  hashPair(hash, enabled ? 1 : 0, 0);
  hashNumber(hash, discount);
  hashNumber(hash, share);
}
