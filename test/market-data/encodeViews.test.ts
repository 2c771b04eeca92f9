// Goal: views that come back from a snapshot answer, and forget, as the original does. Method: the
// rows of all views beside each other, full rings included.

import { expect, test } from 'vitest';
import { engine } from '../../src/engine/engine.ts';
import type { Event } from '../../src/engine/event.ts';
import { createDeleveragings } from '../../src/market-data/deleveragings.ts';
import { decodeViews, encodeListedViews, encodeViews } from '../../src/market-data/encodeViews.ts';
import { createEndedTriggers } from '../../src/market-data/endedTriggers.ts';
import { createForceOrders } from '../../src/market-data/forceOrders.ts';
import { rowsInOrder } from '../../src/market-data/rowRing.ts';
import { createSettledFunding } from '../../src/market-data/settledFunding.ts';
import { createViews, type Views, viewEvent } from '../../src/market-data/views.ts';
import { createWithdrawals, withdrawalsOf } from '../../src/market-data/withdrawals.ts';
import { Fault } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId } from '../../src/units/units.ts';
import {
  breakerTripped,
  deleveraged,
  exchangeAt,
  fundingSettled,
  indexRefused,
  liquidationFlagged,
  orderEnded,
  takenOver,
  triggerEnded,
  withdrawalRequested,
  withdrawalResolved,
} from './eventRows.ts';

function sectionsOf(views: Views): Buffer[] {
  const sections: Buffer[] = [];
  encodeViews(views, engine, (section) => sections.push(section));
  return sections;
}

function listedSectionsOf(views: Views): Buffer[] {
  const sections: Buffer[] = [];
  encodeListedViews(views, engine, (section) => sections.push(section));
  return sections;
}

/** Everything that the views hold. */
function contents(views: Views): unknown {
  const { endedOrders, endedTriggers, forceOrders, deleveragings, settledFunding } = views;
  return {
    orders: [...rowsInOrder(endedOrders)],
    triggers: [...rowsInOrder(endedTriggers)],
    force: [...rowsInOrder(forceOrders)],
    log: [...rowsInOrder(deleveragings)],
    withdrawals: [...rowsInOrder(views.withdrawals)],
    pending: [...views.withdrawals.pending.values()],
    funding: [...rowsInOrder(settledFunding)],
    counts: views.riskCounts,
  };
}

function drawEvents(id: number, draw: number): Event[] {
  const whose = 1 + (id % 9);
  const status = (['CANCELED', 'EXPIRED', 'FAILED', 'FINISHED'] as const)[draw % 4]!;
  return [
    orderEnded(10 * id, whose, { origin: draw % 2 === 0 ? 'liquidation' : 'account' }),
    triggerEnded(10 * id + 1, whose, { status, failure: draw % 4 === 2 ? 'wouldMatch' : '' }),
    takenOver(whose, { id: 10 * id + 2, market: draw % 3, side: draw % 2 === 0 ? 1 : -1 }),
    deleveraged(whose, draw % 2 === 0 ? 0 : 20, { id: 10 * id + 3, market: draw % 3 }),
    deleveraged(0, whose, { id: 10 * id + 4, cause: 'fund_reduction' }),
    withdrawalRequested(10 * id + 5, whose, id),
    fundingSettled(draw % 3, id, 50 - draw),
    ...(draw % 5 === 0 ? [indexRefused(2), liquidationFlagged(whose, true)] : [breakerTripped(1)]),
    ...(draw % 4 === 0 ? [] : [withdrawalResolved(10 * id + 5, whose, draw % 2 === 0)]),
  ];
}

function fill(views: Views, from: number, count: number): void {
  const prng = createPrng(from);
  for (let id = from; id < from + count; id += 1) {
    for (const event of drawEvents(id, prng.below(100))) viewEvent(views, exchangeAt(id), event);
  }
}

const bounded = (max: number): Views => ({
  ...createViews(),
  endedTriggers: createEndedTriggers(max),
  forceOrders: createForceOrders(max),
  deleveragings: createDeleveragings(max),
  withdrawals: createWithdrawals(max),
  settledFunding: createSettledFunding(max),
});

test.each([1, 40, 100_000])(
  'the copy has the same content and continues in the same way, bound %i',
  (max) => {
    const views = bounded(max);
    fill(views, 1, 500);
    const copy = decodeViews(sectionsOf(views).values(), engine);
    expect(contents(copy)).toEqual(contents(views));
    for (const one of [views, copy]) fill(one, 501, 60);
    expect(contents(copy)).toEqual(contents(views));
    const whose = 3 as AccountId;
    const asked = { limit: 1000 };
    const rows = withdrawalsOf(views.withdrawals, whose, asked);
    expect(rows.some(({ status }) => status === 'pending')).toBe(true);
    expect(withdrawalsOf(copy.withdrawals, whose, asked)).toEqual(rows);
  },
);

test.each([1, 40, 100_000])(
  'listed, the copy decodes what ended later and is the same, bound %i',
  (max) => {
    const views = bounded(max);
    fill(views, 1, 9000);
    const sections = listedSectionsOf(views);
    const copy = decodeViews(sections.values(), engine, 'later');
    expect(copy.endedOrders.earlier).toBeDefined();
    expect(copy.endedTriggers.earlier).toBeDefined();
    const eager = decodeViews(sections.values(), engine);
    expect(eager.endedOrders.earlier).toBeUndefined();
    for (const one of [views, copy, eager]) fill(one, 9001, 60);
    expect(contents(copy)).toEqual(contents(views));
    expect(contents(eager)).toEqual(contents(views));
  },
);

test('listed sections that are missing, doubled, damaged or swapped are refused at once', () => {
  const views = createViews();
  fill(views, 1, 5000);
  const sections = listedSectionsOf(views);
  const rows = sections.flatMap((section, index) =>
    section.readUInt32LE(4) === 33 ? [index] : [],
  );
  expect(rows.length).toBeGreaterThan(1);
  const [first, second] = rows as [number, number];
  const changed = [
    sections.toSpliced(first, 1),
    sections.toSpliced(first, 0, sections[first]!),
    sections.with(first, sections[second]!),
    sections.with(first, sections[second]!).with(second, sections[first]!),
    sections.with(first, Buffer.from(sections[first]!).fill(7, 40, 41)),
  ];
  for (const each of changed) {
    expect(() => decodeViews(each.values(), engine, 'later')).toThrow(Fault);
  }
});

test('empty views are read back as empty views', () => {
  expect(contents(decodeViews(sectionsOf(createViews()).values(), engine))).toEqual(
    contents(createViews()),
  );
});

test('missing, doubled or damaged sections are refused', () => {
  const views = createViews();
  fill(views, 1, 50);
  const sections = sectionsOf(views);
  for (let i = 0; i < sections.length; i += 1) {
    expect(() => decodeViews(sections.toSpliced(i, 1).values(), engine)).toThrow(Fault);
    const damaged = Buffer.from(sections[i]!);
    damaged[damaged.length >> 1]! ^= 4;
    expect(() => decodeViews(sections.with(i, damaged).values(), engine)).toThrow(Fault);
    if (i === sections.length - 1) continue;
    expect(() => decodeViews(sections.toSpliced(i, 0, sections[i]!).values(), engine)).toThrow(
      Fault,
    );
  }
});

test('sections have a bounded size', () => {
  const views = createViews();
  fill(views, 1, 6000);
  const sizes = sectionsOf(views).map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(sizes.length).toBeGreaterThan(20);
});
