// From format 5 to format 6 of a snapshot.

import { writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes, type Sections } from './changeItems.ts';

export function migrateTo6(sections: Sections): Sections {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 6);
    copyBytes(writer, before, 4);
  });
}
