// Goal: a trial that is taken back restores every field of a record that it can reach (ORD-10), and
// a field that is new is not forgotten. Method: each kind of record is written all over before and
// during a trial; what rolling back leaves must be the fields that are listed here as out of its
// reach.

import { expect, test } from 'vitest';
import { createAccount } from '../../src/engine/account.ts';
import { createLevel } from '../../src/engine/book/level.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { createOrder, type OrderTerms } from '../../src/engine/order.ts';
import { createAttachments, createPair, type PairTerms } from '../../src/engine/pair.ts';
import { createPosition } from '../../src/engine/position.ts';
import { createReferral } from '../../src/engine/referral.ts';
import * as undoing from '../../src/engine/undo.ts';
import type { AccountId, MarketId, Ticks, Time } from '../../src/units/units.ts';
import { runStream } from './commandStream.ts';

type Touch = (undo: undoing.Undo, record: never) => void;
type Kind = { readonly record: object; readonly touch: Touch; readonly outside: string };

const exchange = createExchange(43113);
const orderTerms = { createdAt: 1, ticks: 1, lots: 1, leverage: 1, updatedAt: 1, priority: 1 };

/** What only commands change that try nothing, what never changes, and the number of the trial. */
const kinds: Readonly<Record<string, Kind>> = {
  account: {
    record: createAccount(1 as AccountId, 'address', 0 as Time),
    touch: undoing.touchAccount,
    outside:
      'armedConnections address createdAt dirty epoch feeTier flagged funded guestSince guestSlot house id ' +
      'marginMode referral steppedAt traded waitingTriggers waitingWithdrawals',
  },
  position: {
    record: createPosition(1 as AccountId, 0 as MarketId),
    touch: undoing.touchPosition,
    outside:
      'account attachments closeTriggers countdown liquidationKey liquidationSide epoch flagged held leverage market ' +
      'newestBuy newestSell oldestBuy oldestSell steppedAt',
  },
  level: {
    record: createLevel(5 as Ticks),
    touch: undoing.touchLevel,
    outside: 'epoch first last ticks',
  },
  order: {
    record: createOrder(orderTerms as OrderTerms),
    touch: undoing.touchOrder,
    outside:
      'account clientOrderId createdAt epoch id legs market markAtCreation newer next older origin ' +
      'position previous priceProtect reduceOnly selfTradeMode side timeInForce trigger type ' +
      'workingType',
  },
  figures: {
    record: runStream(1, 0).markets[0]!.figures,
    touch: undoing.touchFigures,
    outside: 'epoch',
  },
  funds: {
    record: exchange.funds,
    touch: undoing.touchFunds,
    outside: 'deposits epoch withdrawals',
  },
  pair: {
    record: createPair({} as PairTerms),
    touch: undoing.touchPair,
    outside: 'account epoch legs market name side stirred',
  },
  attachments: {
    record: createAttachments(),
    touch: undoing.touchAttachments,
    outside: 'epoch shrunk',
  },
  referral: {
    record: createReferral(),
    touch: undoing.touchReferral,
    outside: 'claimed code epoch referees referrer',
  },
  check: { record: exchange.check, touch: undoing.touchCheck, outside: 'epoch' },
};

/** A value of the same kind as the present one: small integers, money beyond them, words, flags. */
function fill(record: Record<string, unknown>, base: number): void {
  Object.entries(record).forEach(([field, value], index) => {
    if (value === null || typeof value !== 'object') record[field] = `${field} ${base + index}`;
    if (typeof value === 'number') record[field] = index % 2 === 0 ? base + index : 2 ** 40 + base;
    if (typeof value === 'boolean') record[field] = base === 0;
  });
}

test.each(Object.entries(kinds))(
  'ORD-10 a trial that is taken back restores each field: %s',
  (_, kind) => {
    const record = kind.record as Record<string, unknown>;
    const undo = undoing.createUndo();
    fill(record, 0);
    record.epoch = 0;
    const before = { ...record };
    for (let round = 0; round < 2; round += 1) {
      undoing.beginTentative(undo);
      kind.touch(undo, record as never);
      const touched = { ...record };
      fill(record, 1000);
      // A second save in one trial saves nothing.
      record.epoch = touched.epoch;
      kind.touch(undo, record as never);
      expect(undo.saved).toBe(1);
      const written = Object.keys(record).filter((field) => record[field] !== touched[field]);
      undoing.rollbackTentative(undo);
      expect(undo.saved).toBe(0);
      const left = written.filter((field) => record[field] !== before[field]);
      const outside = kind.outside
        .split(' ')
        .filter((field) => field !== 'epoch')
        .sort();
      expect(left.sort()).toEqual(outside);
      for (const field of outside) record[field] = before[field];
    }
  },
);
