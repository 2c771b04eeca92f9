// Goal: a state of format 6 goes on, and no connection of it is armed (COD-1). Method: the head of
// a snapshot of format 7 without its last figures is that of format 6; it is migrated and compared.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createByteWriter, reserveBytes, writeUint32 } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import { formatSevenSections } from '../fixtures/formatSeven.ts';
import { runStream } from './commandStream.ts';

const headKind = 1;
/** Three counts. */
const addedHeadBytes = 12;

function formatSixSections(exchange: Exchange): Buffer[] {
  return formatSevenSections(exchange).map((section) => {
    const { kind, reader } = openSection(section);
    if (kind !== headKind) return section;
    const writer = createByteWriter();
    beginSection(writer);
    writeUint32(writer, 6);
    const bytes = reader.buffer.subarray(reader.offset + 4, reader.end - addedHeadBytes);
    const at = reserveBytes(writer, bytes.length);
    bytes.copy(writer.buffer, at);
    return endSection(writer, kind);
  });
}

test.each([1, 2, 3])('COD-1 a state of format 6 has no armed connection, seed %i', (seed) => {
  const exchange = runStream(seed, 1200);
  exchange.connections.armed.clear();
  for (const account of exchange.accounts) if (account) account.armedConnections = 0;
  const migrated = decodeSnapshot(migrateSnapshot(formatSixSections(exchange), 6));
  expect(checkInvariants(migrated).failures).toEqual([]);
  expect(stateHash(migrated)).toBe(stateHash(exchange));
  expect(priceHash(migrated)).toBe(priceHash(exchange));
  expect(migrated.connections).toEqual({ armed: new Map(), queue: [], turn: 0 });
});
