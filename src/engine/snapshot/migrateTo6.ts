// From format 5 to format 6 of a snapshot. Orders and triggers may have legs (ATT-1): the head has
// the number of pairs, of which there are none, and a record without legs has the same bytes.
// Accounts say whether they have traded, and have no part in referral yet (NAT-4). The head ends
// with the terms of referral. It is switched off: the operator switches it on, and then every
// market's rebate is checked against the discount (MAR-3). Funding goes on by the length of its
// interval (changeFundingFrom5.ts).

import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  writeByte,
  writeFlag,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { encodeReferralTerms } from '../codec/referralTerms.ts';
import { defaultReferralTerms } from '../referral.ts';
import { changeFundingFrom5 } from './changeFundingFrom5.ts';
import {
  accountsKind,
  changeHead,
  changeItems,
  copy,
  copyBytes,
  copyKeys,
  copyList,
  copyText,
  integerBytes,
  type Sections,
} from './changeItems.ts';

export function migrateTo6(sections: Sections): Sections {
  const headed = changeHead(changeFundingFrom5(sections), (writer, before) => {
    writeUint32(writer, 6);
    copyBytes(writer, before, 4);
    // Pairs.
    writeUint32(writer, 0);
    encodeReferralTerms(writer, { ...defaultReferralTerms, enabled: false });
  });
  return changeItems(headed, accountsKind, changeAccount);
}

/**
 * Bytes of an account: number, address, four integers, margin mode, offset, flag, time of the last
 * step, whether it is internal, fee tier, volume, time, positions, idempotency keys, API keys.
 */
function changeAccount(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 4);
  copyText(writer, reader);
  copy(writer, reader, 4 * integerBytes + 1 + integerBytes + 1 + integerBytes + 1 + integerBytes);
  let traded = copyVolume(writer, reader);
  copy(writer, reader, integerBytes);
  copyList(writer, reader, () => {
    traded = copyPosition(writer, reader) || traded;
  });
  copyKeys(writer, reader);
  writeFlag(writer, traded);
  writeFlag(writer, false);
  // Sessions (AUTH-11): tokens of an older engine name none.
  writeUint16(writer, 0);
}

/**
 * Three integers, of which the first is the last day with a trade, and those of the past days.
 * Gives whether there was such a day. A trade of an account with itself was never counted.
 */
function copyVolume(writer: ByteWriter, reader: ByteReader): boolean {
  const day = readInteger(reader);
  writeInteger(writer, day);
  copy(writer, reader, 2 * integerBytes);
  const days = readByte(reader);
  writeByte(writer, days);
  copy(writer, reader, days * integerBytes);
  return day !== 0;
}

/** Market, leverage, lots, three integers, a flag, five integers. Gives whether there are lots. */
function copyPosition(writer: ByteWriter, reader: ByteReader): boolean {
  copy(writer, reader, 2 + integerBytes);
  const lots = readInteger(reader);
  writeInteger(writer, lots);
  copy(writer, reader, 3 * integerBytes + 1 + 5 * integerBytes);
  return lots !== 0;
}
