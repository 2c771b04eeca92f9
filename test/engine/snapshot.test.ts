// Goal: a snapshot is the state, exactly; what was decoded continues as the original does. Method:
// seeded streams of all commands, a snapshot at a random point, then both continue side by side.

import { describe, expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { engine } from '../../src/engine/engine.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Order } from '../../src/engine/order.ts';
import { hashEvent } from '../../src/engine/snapshot/eventHash.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { extremeOf } from '../../src/engine/trigger.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { createEndedOrders, type EndedOrders } from '../../src/market-data/endedOrders.ts';
import { decodeEndedOrders, encodeEndedOrders } from '../../src/market-data/endedOrdersSnapshot.ts';
import { rememberRow, rowCount, rowsInOrder } from '../../src/market-data/rowRing.ts';
import type { RowsOutput } from '../../src/market-data/rowSnapshot.ts';
import { Fault } from '../../src/std/assert.ts';
import { directValues } from '../../src/std/directMap.ts';
import { createHash64, hashHex } from '../../src/std/hash.ts';
import { createPrng } from '../../src/std/prng.ts';
import { sortedItems } from '../../src/std/sortedSet.ts';
import type { Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import {
  createStream,
  openingCommands,
  runStream,
  type Stream,
  streamStart,
} from './commandStream.ts';
import { richExchange, richLists, sitesOfExchange } from './stateSites.ts';

/** Counted again from the records, or given by the place of the record. */
const counted =
  /positions\.\*\.(?:orderCount|reduceOnlyCount|covered|closeTriggers)$|waiting(?:Triggers|Withdrawals)$|clientOrderIds\.\*$|apiKeys\.\*\.account$/;

/** In another place it is another record, and the record of that place may now have no effect. */
const placed = /(?:positions|orders|shares)\.\*.*\.(?:market|account)$/;

function sectionsOf(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return sections;
}

function step(exchange: Exchange, stream: Stream): void {
  const command = stream.next();
  if (stream.time() > exchange.time) beginBatch(exchange, stream.time());
  applyCommand(exchange, command, 0 as Time);
}

/** States that a stream must reach at least once, so that its snapshots prove something. */
const states: Record<string, (exchange: Exchange) => boolean> = {
  'many orders': ({ orders }) => orders.size > 20,
  'many triggers': ({ triggers }) => triggers.size > 8,
  'an order of a trigger': ({ orders }) => directValues(orders).some(({ trigger }) => trigger),
  'a pending withdrawal': ({ withdrawals }) => withdrawals.size > 0,
  'remembered requests': (exchange) =>
    liveAccounts(exchange).some((account) => account.idempotency.size > 3),
  'a fee tier': (exchange) => liveAccounts(exchange).some(({ volume }) => volume.tier > 0),
  'uncovered margin': (exchange) => liveAccounts(exchange).some(({ uncovered }) => uncovered > 0),
  'a flagged position': (exchange) =>
    liveAccounts(exchange).some(({ positions }) => positions.some((position) => position?.flagged)),
  'a waiting step': (exchange) => liveAccounts(exchange).some(({ steppedAt }) => steppedAt > 0),
  'positions of the fund': ({ accounts }) =>
    accounts[0]!.positions.some((position) => position?.lots),
  'an index that waits': ({ markets }) => markets.some(({ prices }) => prices.pending.length > 0),
  'armed connections': ({ connections }) => connections.armed.size > 1,
  'a settled market': ({ markets }) => markets.some(({ dues }) => dues.settledAt > 0),
};

/** Runs the stream's next commands; gives the hash of the events. */
function advance(exchange: Exchange, seed: number, count: number): string {
  const hash = createHash64();
  exchange.events = [];
  const stream = createStream(seed, () => exchange, exchange.time);
  for (let i = 0; i < count; i += 1) {
    step(exchange, stream);
    for (const event of exchange.events) hashEvent(hash, event);
    exchange.events = [];
  }
  return hashHex(hash);
}

describe('a snapshot of the engine', () => {
  test('of an empty exchange restores an empty exchange', () => {
    const copy = decodeSnapshot(sectionsOf(createExchange(43114)));
    expect(copy.chainId).toBe(43114);
    expect(stateHash(copy)).toBe(stateHash(createExchange(43114)));
    expect(priceHash(copy)).toBe(priceHash(createExchange(43114)));
  });

  test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'continues as the original, seed %i',
    (seed) => {
      const original = runStream(seed, 200 + createPrng(seed).below(2500));
      const copy = decodeSnapshot(sectionsOf(original));
      expectSame(stateHash(copy), stateHash(original));
      expectSame(priceHash(copy), priceHash(original));
      expectSame(checkInvariants(copy), checkInvariants(original));
      expectSame(sectionsOf(copy), sectionsOf(original));
      const after = advance(original, seed + 1000, 1500);
      expectSame(advance(copy, seed + 1000, 1500), after);
      expectSame(stateHash(copy), stateHash(original));
      expectSame(priceHash(copy), priceHash(original));
    },
  );

  test('carries every field, or refuses to be read', () => {
    const exchange = richExchange();
    const before = Buffer.concat(sectionsOf(exchange));
    const tried = new Map<string, number>();
    let refused = 0;
    for (const { path, shape, change, undo } of sitesOfExchange(exchange)) {
      const times = tried.get(shape) ?? 0;
      tried.set(shape, times + 1);
      if (times >= 3 || placed.test(shape)) continue;
      change();
      try {
        const sections = sectionsOf(exchange);
        const bytes = Buffer.concat(sections);
        const written = !bytes.equals(before);
        expect(written, `${path} is in no section`).toBe(!counted.test(shape));
        const again = Buffer.concat(sectionsOf(decodeSnapshot(sections)));
        expect(again.equals(bytes), `${path} does not come back`).toBe(true);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        refused += 1;
      }
      undo();
    }
    expect([...tried.keys()]).toEqual(expect.arrayContaining(richLists));
    expect(tried.size).toBeGreaterThan(150);
    expect(refused).toBeLessThan(66);
    expect(Buffer.concat(sectionsOf(exchange)).equals(before)).toBe(true);
  });

  test('restores waiting triggers, holders of positions and stale keys', () => {
    const original = richExchange();
    const copy = decodeSnapshot(sectionsOf(original));
    const waitingOf = ({ markets }: Exchange): unknown =>
      markets
        .flatMap(({ triggers: { reducing, opening } }) => [reducing, opening])
        .map((kind) => {
          const { rising, falling, buying, selling } = kind;
          const sorted = [...sortedItems(rising), ...sortedItems(falling)];
          const groups = [buying, selling].flatMap((trailing) =>
            trailing.groups.map(({ extreme, runs }) => [extreme, runs.map(({ size }) => size)]),
          );
          return [sorted.map(({ id }) => id), groups];
        });
    expect(original.triggers.size).toBeGreaterThan(3);
    expect(waitingOf(copy)).toEqual(waitingOf(original));
    const recordsOf = ({ triggers }: Exchange): object[] =>
      Array.from(triggers.values(), (trigger) => {
        return { ...trigger, extreme: extremeOf(trigger), block: null };
      });
    expect(recordsOf(copy)).toEqual(recordsOf(original));
    for (const account of liveAccounts(copy)) {
      const open = account.positions.filter((position) => position?.lots);
      expect(account.dirty).toBe(open.length > 0);
      for (const position of open) {
        expect(copy.markets[position!.market]!.risk.holders).toContain(position);
      }
    }
    expect(copy.dirty.every(({ dirty }) => dirty)).toBe(true);
    expect(copy.accounts[0]).toMatchObject({ id: 0, address: 'insurance', house: true });
    expect(copy.accountByAddress.get('insurance')).toBe(0);
  });

  test('has every state that the streams should produce', () => {
    const kinds = new Set<string>();
    const seen = new Set<string>();
    for (let seed = 1; seed <= 8; seed += 1) {
      const exchange = runStream(seed, 0);
      const stream = createStream(seed, () => exchange);
      for (let i = 0; i < 2500; i += 1) {
        step(exchange, stream);
        for (const [name, holds] of Object.entries(states)) if (holds(exchange)) seen.add(name);
      }
      for (const { kind } of exchange.events) kinds.add(kind);
    }
    const due = [
      'accountCreated',
      'accountFlagged',
      'apiKeyCreated',
      'apiKeyDeleted',
      'apiKeyUpdated',
      'breakerTripped',
      'collateralTransferred',
      'countdownSet',
      'credited',
      'deleveraged',
      'feeTiersSet',
      'fundingPaid',
      'fundingSettled',
      'indexRefused',
      'insuranceCredited',
      'leverageSet',
      'liquidationFeePaid',
      'liquidationFlagged',
      'loggedIn',
      'marginModeSet',
      'marketChanged',
      'marketListed',
      'marketSettled',
      'orderCut',
      'orderEnded',
      'orderModified',
      'orderPlaced',
      'positionSettled',
      'priced',
      'referralAccrued',
      'referralBound',
      'referralClaimed',
      'referralCodeSet',
      'referralTermsSet',
      'rejected',
      'takenOver',
      'traded',
      'triggerEnded',
      'triggerFired',
      'triggerPlaced',
      'withdrawalRequested',
      'withdrawalResolved',
    ];
    expect([...kinds]).toEqual(expect.arrayContaining(due));
    expect([...seen].sort()).toEqual(Object.keys(states).sort());
  });

  test('is refused when a section is missing, doubled, cut or damaged', () => {
    const sections = sectionsOf(runStream(3, 800));
    expect(sections.length).toBeGreaterThan(6);
    for (let i = 0; i < sections.length; i += 1) {
      expect(() => decodeSnapshot(sections.toSpliced(i, 1))).toThrow(Fault);
      if (i < sections.length - 1) {
        expect(() => decodeSnapshot(sections.toSpliced(i, 0, sections[i]!))).toThrow(Fault);
      }
      const section = sections[i]!;
      expect(() => decodeSnapshot(sections.with(i, section.subarray(0, -1)))).toThrow(Fault);
      const damaged = Buffer.from(section);
      damaged[Math.floor(damaged.length / 2)]! ^= 4;
      expect(() => decodeSnapshot(sections.with(i, damaged))).toThrow(Fault);
    }
  });

  test('is cut into sections of bounded size', () => {
    const exchange = createExchange(43113);
    beginBatch(exchange, streamStart);
    for (const command of openingCommands()) applyCommand(exchange, command, 0 as Time);
    for (let i = 0; i < 6000; i += 1) {
      const address = `0x${(i + 1000).toString(16).padStart(40, '0')}`;
      const credit = { kind: 'credit', address, amount: 1, reference: `r${i}` } as const;
      applyCommand(exchange, credit as never, 0 as Time);
    }
    const sections = sectionsOf(exchange);
    expect(Math.max(...sections.map(({ length }) => length))).toBeLessThan(300_000);
    expect(sections.length).toBeGreaterThan(6);
    expect(stateHash(decodeSnapshot(sections))).toBe(stateHash(exchange));
  });

  test('ends before the sections of others', () => {
    const exchange = runStream(4, 300);
    const ended = endedOf(exchange.events, 100);
    const sections = sectionsOf(exchange);
    encodeEndedOrders(ended, engine, outputTo(sections));
    const rest = sections.values();
    expect(stateHash(decodeSnapshot(rest))).toBe(stateHash(exchange));
    expect(decodeEndedOrders(rest, engine)).toEqual(ended);
    expect(rest.next().done).toBe(true);
  });
});

const outputTo = (sections: Buffer[]): RowsOutput => ({
  emit: (section) => sections.push(section),
  isListed: false,
});

function endedOf(events: readonly Event[], max: number): EndedOrders {
  const ended = createEndedOrders(max);
  for (const event of events) {
    // The number of a trial is transient: a copy has none.
    if (event.kind === 'orderEnded')
      rememberRow(ended, { ...stateOf.order(event.order), epoch: 0 } as Order);
  }
  return ended;
}

describe('a snapshot of the ended orders', () => {
  test.each([1, 50, 100_000])('restores the view, bound %i', (max) => {
    const ended = endedOf(runStream(5, 2500).events, max);
    expect(rowCount(ended)).toBeGreaterThan(0);
    const sections: Buffer[] = [];
    encodeEndedOrders(ended, engine, outputTo(sections));
    const copy = decodeEndedOrders(sections, engine);
    expect([...rowsInOrder(copy)]).toEqual([...rowsInOrder(ended)]);
    expect(() => decodeEndedOrders(sections.slice(0, -1), engine)).toThrow(Fault);
  });

  test('of no orders restores no orders', () => {
    const sections: Buffer[] = [];
    encodeEndedOrders(createEndedOrders(10), engine, outputTo(sections));
    expect(decodeEndedOrders(sections, engine)).toEqual(createEndedOrders(10));
  });
});
