// From format 8 to format 9 of a snapshot. The head ends with the number of accounts to which the
// vault has paid (VLT-8). What it had paid before is known in all, and not by account.

import { writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes, type Sections } from './changeItems.ts';

export function migrateTo9(sections: Sections): Sections {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 9);
    copyBytes(writer, before, 4);
    writeUint32(writer, 0);
  });
}
