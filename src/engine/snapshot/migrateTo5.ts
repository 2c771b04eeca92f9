// From format 4 to format 5 of a snapshot. Each rule that keeps something new has its own function.
// Tried triggers (TRG-8): at the end of the head are the round of those that are due again and the
// number of those that rest. In format 4 no trigger waits after a try.

import { type ByteWriter, writeInteger, writeUint32 } from '../../std/bytes.ts';
import { changeHead, copyBytes } from './migrateTo3.ts';

export function migrateTo5(sections: Iterable<Buffer>): Iterable<Buffer> {
  return changeHead(sections, (writer, before) => {
    writeUint32(writer, 5);
    copyBytes(writer, before, 4);
    addTriedToHead(writer);
  });
}

function addTriedToHead(writer: ByteWriter): void {
  writeInteger(writer, 1);
  writeUint32(writer, 0);
}
