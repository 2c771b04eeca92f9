// Goal: a state of format 4 goes on under TRG-8. Method: present sections of a state in which
// triggers are due and none was tried are made into what the engine of format 4 wrote (a head that
// ends earlier), and migrated back.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createByteWriter, reserveBytes, writeUint32 } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const headKind = 1;
/** What format 5 has put at the end of the head: an integer and a number. */
const addedBytes = 12;

function olderSections(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => {
    const { kind, reader } = openSection(section);
    if (kind !== headKind) {
      sections.push(section);
      return;
    }
    const writer = createByteWriter();
    beginSection(writer);
    writeUint32(writer, 4);
    const bytes = reader.buffer.subarray(reader.offset + 4, reader.end - addedBytes);
    const at = reserveBytes(writer, bytes.length);
    bytes.copy(writer.buffer, at);
    sections.push(endSection(writer, kind));
  });
  return sections;
}

function tick(exchange: Exchange, ticks: number): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const observedAt = exchange.time;
  const price = { market: 0 as MarketId, source: 'sim', ticks: ticks as Ticks, observedAt };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
}

test('TRG-8 a state of format 4 goes on: what was refused has failed, and nothing rests', () => {
  const { exchange } = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 10000
    credit ben 1000000
    index 60000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna trigger sell close STOP_MARKET stop 59000 id closes
    anna trigger buy 0.1 STOP_MARKET stop 61000 id opens
    change status HALT
    index 58900
    `,
  );
  const older = olderSections(exchange);
  const migrated = decodeSnapshot(migrateSnapshot(older, 4));
  expect(checkInvariants(migrated).failures).toEqual([]);
  expect(migrated.due.tried).toEqual({ triggers: [], next: 0 });
  expect(migrated.due.retrying).toMatchObject({ round: 1, rounds: [], waves: [] });
  expect(stateHash(migrated)).toBe(stateHash(exchange));
  expect(priceHash(migrated)).toBe(priceHash(exchange));
  for (const one of [exchange, migrated]) tick(one, 590_000);
  expect(stateHash(migrated)).toBe(stateHash(exchange));
});
