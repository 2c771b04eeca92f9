// From format 2 to format 3 of a snapshot. Each step is a function over its own sections; the steps
// change the head in their order. Guests (AUTH-5a): the head ends with the numbers of guests and
// vacancies, of which there are none, with the lowest number that may be used again, and with the
// numbers in use. Guests are found when the accounts are read, and timers for which nothing waits
// are dropped (snapshotLists.ts). At the end is the number of due triggers (TRG-6).

import { readUint32, writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes, type Sections } from './changeItems.ts';

/** After the format, three integers and the number of markets. */
const accountsAt = 32;

export function migrateTo3(sections: Sections): Sections {
  return changeHead(numberGuests(sections), (writer, before) => {
    writeUint32(writer, 3);
    copyBytes(writer, before, 4);
    // Due triggers (TRG-6): the older format has none.
    writeUint32(writer, 0);
  });
}

/** Numbers of existing accounts are never used again: rows may name them. */
export function numberGuests(sections: Sections): Sections {
  return changeHead(sections, (writer, before) => {
    const accounts = readUint32({ ...before, offset: before.offset + accountsAt });
    copyBytes(writer, before, 0);
    for (const number of [0, 0, accounts, accounts]) writeUint32(writer, number);
  });
}
