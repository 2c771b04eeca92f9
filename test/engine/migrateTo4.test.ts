// Goal: a state of format 3 continues under rounds by account (TRG-6). Method: sections of format 4
// are made into what the engine of format 3 wrote (a head that ends earlier, what is due without
// rounds), and migrated back.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { firedPerTickMax } from '../../src/engine/limits.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { newItems, placedItems } from '../../src/engine/triggers/dueQueue.ts';
import { wavesOf } from '../../src/engine/triggers/wave.ts';
import { createByteWriter, reserveBytes, writeUint32 } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { formatFourSections } from '../fixtures/formatFour.ts';
import { stopCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const headKind = 1;
const placesKind = 15;
/** What format 4 has put at the end of the head: three numbers and two integers. */
const addedBytes = 28;

function olderSections(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  for (const section of formatFourSections(exchange)) {
    const { kind, reader } = openSection(section);
    if (kind === placesKind) continue;
    if (kind !== headKind) {
      sections.push(section);
      continue;
    }
    const writer = createByteWriter();
    beginSection(writer);
    writeUint32(writer, 3);
    const bytes = reader.buffer.subarray(reader.offset + 4, reader.end - addedBytes);
    const at = reserveBytes(writer, bytes.length);
    bytes.copy(writer.buffer, at);
    sections.push(endSection(writer, kind));
  }
  return sections;
}

/** A tick 250 ms later; gives what fired in it. */
function tick(exchange: Exchange, ticks: number): number[] {
  beginBatch(exchange, (exchange.time + 250) as Time);
  exchange.events = [];
  const observedAt = exchange.time;
  const price = { market: 0 as MarketId, source: 'sim', ticks: ticks as Ticks, observedAt };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
  return exchange.events.flatMap((event) => (event.kind === 'triggerFired' ? [event.id] : []));
}

test('TRG-6 a state of format 3 is migrated: due triggers get their places', () => {
  const world = play(createWorld(), 'market BTCUSDT\nindex 60000\ncredit maker 100000000');
  play(world, 'maker buy 16 @ 58000');
  // 1,600 stops of eight accounts; the older of each first.
  for (let account = 2; account < 10; account += 1) {
    play(world, `credit account${account} 100000`);
    for (let i = 0; i < 200; i += 1) {
      const stop = { account, market: 0, side: -1, lots: 10, stopTicks: 590_000 } as const;
      expect(applyCommand(world.exchange, stopCommand(stop), 0 as Time).kind).toBe('accepted');
    }
  }
  const { exchange } = world;
  expect(tick(exchange, 589_000)).toHaveLength(firedPerTickMax);
  // The list that the engine of format 3 left, here by number.
  const { opening } = exchange.due;
  const left = placedItems(opening).map(({ trigger }) => trigger);
  expect(left).toHaveLength(600);
  const older = olderSections(withoutPlaces(exchange));
  const twins = [older, older].map((sections) => decodeSnapshot(migrateSnapshot(sections, 3)));
  const [migrated, twin] = twins as [Exchange, Exchange];
  expect(checkInvariants(migrated).failures).toEqual([]);
  expect(migrated.due.opening).toMatchObject({ round: 1, rounds: [] });
  expect(migrated.expiring).toEqual([]);
  expect(newItems(migrated.due.opening)).toHaveLength(600);
  expect(stateHash(migrated)).toBe(stateHash(twin));
  expect(priceHash(migrated)).toBe(priceHash(twin));

  const fired = tick(migrated, 600_000);
  expect(fired).toHaveLength(600);
  const accounts = fired.map((id) => left.find((trigger) => trigger.id === id)!.account);
  expect(new Set(accounts.slice(0, 8)).size).toBe(8);
  expect(tick(twin, 600_000)).toEqual(fired);
  expect(stateHash(migrated)).toBe(stateHash(twin));
});

/** The same state as the older engine leaves it: the due triggers in one wave, by number. */
function withoutPlaces(exchange: Exchange): Exchange {
  const { opening } = exchange.due;
  const left = placedItems(opening)
    .map(({ trigger }) => trigger)
    .sort((a, b) => a.id - b.id);
  opening.waves = wavesOf(left);
  opening.rounds.length = 0;
  return exchange;
}
