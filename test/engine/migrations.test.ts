// What an older engine has written becomes what this one reads. Goal: nothing is lost on the way.
// Method: a state of today is written as it lay in the older format, and migrated again.

import { expect, test } from 'vitest';
import { addDueCount } from '../../src/engine/addDueCount.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/stateHash.ts';
import { createByteWriter, reserveBytes } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import { runStream } from './commandStream.ts';

/** Without the count of due triggers at the end of the head. */
function asFormat2(section: Buffer): Buffer {
  const { kind, reader } = openSection(section);
  if (kind !== 1) return section;
  const writer = createByteWriter();
  beginSection(writer);
  const at = reserveBytes(writer, reader.end - reader.offset - 4);
  reader.buffer.copy(writer.buffer, at, reader.offset, reader.end - 4);
  writer.view.setUint32(at, 2, true);
  return endSection(writer, kind);
}

test('TRG-6 a state of format 2 has no due triggers, and is the same state', () => {
  const exchange = runStream(7, 1500);
  expect(exchange.triggers.size).toBeGreaterThan(0);
  expect(exchange.waves).toEqual([]);
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const migrated = [...addDueCount(sections.map(asFormat2))];
  expect(migrated).toEqual(sections);
  const copy = decodeSnapshot(migrated);
  expect(stateHash(copy)).toBe(stateHash(exchange));
  expect(priceHash(copy)).toBe(priceHash(exchange));
});
