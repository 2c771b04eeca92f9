// The commands of accounts about referral (NAT-4) as bytes: to set a code, to be bound to one, to
// claim.

import {
  type ByteReader,
  type ByteWriter,
  readText,
  readUint32,
  writeText,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId } from '../../units/units.ts';
import type { BindReferral, ClaimReferral, SetReferralCode } from '../referralCommand.ts';

type OfCode = SetReferralCode | BindReferral;

/** Of both commands that name an account and a code. */
export function encodeReferralCode(writer: ByteWriter, command: OfCode): void {
  writeUint32(writer, command.account);
  writeText(writer, command.code);
}

export function decodeSetReferralCode(reader: ByteReader): SetReferralCode {
  const account = readUint32(reader) as AccountId;
  return { kind: 'setReferralCode', account, code: readText(reader) };
}

export function decodeBindReferral(reader: ByteReader): BindReferral {
  const account = readUint32(reader) as AccountId;
  return { kind: 'bindReferral', account, code: readText(reader) };
}

export function encodeClaimReferral(writer: ByteWriter, command: ClaimReferral): void {
  writeUint32(writer, command.account);
}

export function decodeClaimReferral(reader: ByteReader): ClaimReferral {
  return { kind: 'claimReferral', account: readUint32(reader) as AccountId };
}
