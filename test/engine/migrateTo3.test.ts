// Goal: a state of format 2 continues under AUTH-5a and without dead timers. Method: sections of
// the present format are made into what the engine of format 2 wrote (a head that ends earlier, no
// guests, and timers that were replaced), and migrated back.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { guestLifeMs, numberRestMs } from '../../src/engine/limits.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { encodeTimer } from '../../src/engine/snapshot/snapshotLists.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createByteWriter, reserveBytes, writeUint32 } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { formatFourSections } from '../fixtures/formatFour.ts';
import { play } from '../scenarios/scenario.ts';
import { addressOf, createWorld } from '../scenarios/world.ts';

const headKind = 1;
const timersKind = 7;
const guestsKind = 12;
/** What formats 3 and 4 have put at the end of the head: eight numbers and two integers. */
const addedBytes = 48;

/** The timer of a countdown that was replaced. */
const dead = {
  time: 1_760_000_500_000 as Time,
  id: 2,
  kind: 'countdown',
  account: 1 as AccountId,
  market: 0 as MarketId,
  nonce: '',
  slot: -1,
} as const;

function olderSections(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  for (const section of formatFourSections(exchange)) {
    const { kind, reader } = openSection(section);
    const writer = createByteWriter();
    beginSection(writer);
    const copy = (from: number, to: number): void => {
      const bytes = reader.buffer.subarray(from, to);
      const at = reserveBytes(writer, bytes.length);
      bytes.copy(writer.buffer, at);
    };
    const { offset, end } = reader;
    if (kind === headKind) {
      writeUint32(writer, 2);
      copy(offset + 4, end - addedBytes);
      const at = writer.length - (end - addedBytes - offset);
      const timers = 4 + 24 + 5 * 4;
      writer.view.setUint32(at + timers, exchange.timers.items.length + 1, true);
    } else if (kind === timersKind) {
      writeUint32(writer, exchange.timers.items.length + 1);
      copy(offset + 4, end);
      encodeTimer(writer, dead);
    } else copy(offset, end);
    if (kind !== guestsKind) sections.push(endSection(writer, kind));
  }
  return sections;
}

test('AUTH-5a TRG-5 a state of format 2 is migrated: guests get a day, dead timers are removed', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 1000
    index 60000
    anna countdown 60000
    anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 900000
    login ben nonce 1
    after 5000
    login cleo nonce 2
    `,
  );
  const older = olderSections(world.exchange);
  const twins = [older, older].map((sections) => decodeSnapshot(migrateSnapshot(sections, 2)));
  const [exchange, twin] = twins as [Exchange, Exchange];
  expect(checkInvariants(exchange).failures).toEqual([]);
  expect(exchange.timers.items.length).toBe(world.exchange.timers.items.length);
  expect(exchange.guests).toMatchObject({ numbersKept: 4, unfunded: 2, unfundedWithKeys: 0 });
  const since = exchange.accounts.map((account) => account?.guestSince);
  expect(since).toEqual([0, 0, exchange.time, exchange.time]);
  expect(stateHash(exchange)).toBe(stateHash(twin));
  expect(priceHash(exchange)).toBe(priceHash(twin));

  // Readers heard of Ben when he logged in; rows may name the number of Cleo.
  const address = addressOf(world, 'ben');
  const credit = { kind: 'credit', address, amount: 5, reference: 'first' } as never;
  expect(applyCommand(exchange, credit, 0 as Time).kind).toBe('accepted');
  expect(exchange.events.map(({ kind }) => kind)).toEqual(['credited']);
  beginBatch(exchange, (exchange.time + guestLifeMs) as Time);
  beginBatch(exchange, (exchange.time + numberRestMs) as Time);
  expect(exchange.accounts.map((account) => account?.id)).toEqual([0, 1, 2, undefined]);
  const again = {
    ...(credit as object),
    address: addressOf(world, 'dora'),
    reference: 'second',
  } as never;
  expect(applyCommand(exchange, again, 0 as Time)).toMatchObject({ account: { id: 4 } });
  // The first account that is younger than the rule: its money is what readers hear of first.
  expect(exchange.events.slice(-2).map(({ kind }) => kind)).toEqual(['accountCreated', 'credited']);
  expect(checkInvariants(exchange).failures).toEqual([]);
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  expect(stateHash(decodeSnapshot(sections))).toBe(stateHash(exchange));
});
