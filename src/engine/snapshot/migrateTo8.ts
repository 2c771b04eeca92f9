// From format 7 to format 8 of a snapshot. The head ends with the vault (VLT-1), of which there is
// none, and with the numbers of parked sums and of accounts that have had a deposit. Withdrawals
// get a fee and a state (VLT-4, VLT-5): they are requested, without a fee.

import { writeByte, writeInteger, writeUint32 } from '../../std/bytes.ts';
import { createVaultLedger } from '../vaultLedger.ts';
import {
  changeHead,
  changeItems,
  copy,
  copyBytes,
  integerBytes,
  type Sections,
} from './changeItems.ts';
import { encodeVault } from './encodeVault.ts';

const withdrawalsKind = 10;

export function migrateTo8(sections: Sections): Sections {
  const headed = changeHead(sections, (writer, before) => {
    writeUint32(writer, 8);
    copyBytes(writer, before, 4);
    encodeVault(writer, createVaultLedger());
    for (const none of [0, 0]) writeUint32(writer, none);
  });
  return changeItems(headed, withdrawalsKind, (writer, reader) => {
    // Number, account, amount, time.
    copy(writer, reader, integerBytes + 4 + 2 * integerBytes);
    writeInteger(writer, 0);
    writeByte(writer, 0);
  });
}
