// From format 2 of snapshots to format 3: the head counts, behind all else, the triggers that are due
// (TRG-6). Before there were none.

import { createByteWriter, reserveBytes, writeUint32 } from '../std/bytes.ts';
import { beginSection, endSection, openSection } from '../std/section.ts';

const headKind = 1;

export function* addDueCount(sections: Iterable<Buffer>): Generator<Buffer> {
  for (const section of sections) {
    const { kind, reader } = openSection(section);
    if (kind !== headKind) {
      yield section;
      continue;
    }
    const { buffer, offset, end } = reader;
    const writer = createByteWriter();
    beginSection(writer);
    writeUint32(writer, 3);
    const at = reserveBytes(writer, end - offset - 4);
    buffer.copy(writer.buffer, at, offset + 4, end);
    writeUint32(writer, 0);
    yield endSection(writer, headKind);
  }
}
