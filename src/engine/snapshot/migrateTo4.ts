// From format 3 to format 4 of a snapshot. At the end of the head are the data of the rounds of due
// triggers (TRG-6) and the number of settled markets with triggers that must still end (SYM-2b).
// Due triggers of format 3 have no place in a round yet, and all triggers of settled markets have
// ended.

import { writeInteger, writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes } from './changeItems.ts';

export function migrateTo4(sections: Iterable<Buffer>): Iterable<Buffer> {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 4);
    copyBytes(writer, before, 4);
    // Triggers with a place, last places of accounts, expiring markets.
    for (let i = 0; i < 3; i += 1) writeUint32(writer, 0);
    // The rounds of triggers that only reduce, and of the others.
    for (let i = 0; i < 2; i += 1) writeInteger(writer, 1);
  });
}
