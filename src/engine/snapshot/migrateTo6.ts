// From format 5 to format 6 of a snapshot. Orders and triggers may have legs (ATT-1): the head ends
// with the number of pairs, of which there are none, and a record without legs has the same bytes.

import { writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes, type Sections } from './changeItems.ts';

export function migrateTo6(sections: Sections): Sections {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 6);
    copyBytes(writer, before, 4);
    // Pairs.
    writeUint32(writer, 0);
  });
}
