// From format 6 to format 7 of a snapshot. The head ends with the numbers of armed and of ended
// connections and with the turn among the latter (COD-1): there are none.

import { writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes, type Sections } from './changeItems.ts';

export function migrateTo7(sections: Sections): Sections {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 7);
    copyBytes(writer, before, 4);
    for (const none of [0, 0, 0]) writeUint32(writer, none);
  });
}
