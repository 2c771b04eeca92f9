// The last ended triggers: cancelled, expired, failed or finished (TRG-2). They are found by either
// id, and listed by account as they were created. Bounded; part of the archivist's snapshot.

import { viewRowsMax } from '../engine/limits.ts';
import type { Trigger } from '../engine/trigger.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import {
  createReferenceIndex,
  findByReference,
  type Reference,
  type ReferenceIndex,
} from './referenceIndex.ts';
import { createRowGroups, type RowGroups, type RowWindow, rowsOf } from './rowGroups.ts';
import { createRowRing, indexOf, type RowRing } from './rowRing.ts';

type Row = Readonly<Trigger>;

export type EndedTriggers = RowRing<Row, ReferenceIndex<Row> & RowGroups<Row>>;

export function createEndedTriggers(max: number = viewRowsMax): EndedTriggers {
  return createRowRing(max, createIndex);
}

function createIndex(): ReferenceIndex<Row> & RowGroups<Row> {
  const references = createReferenceIndex<Row>();
  const groups = createRowGroups<Row>(({ createdAt }) => createdAt);
  return {
    ...references,
    ...groups,
    add: (row) => {
      references.add(row);
      groups.add(row);
    },
    remove: (row) => {
      references.remove(row);
      groups.remove(row);
    },
  };
}

/** An ended trigger of the account. */
export function findEndedTrigger(
  ended: EndedTriggers,
  account: AccountId,
  reference: Reference,
): Row | undefined {
  return findByReference(indexOf(ended), account, reference);
}

/** An ended trigger of whatever account. */
export function findEndedTriggerById(ended: EndedTriggers, id: OrderId): Row | undefined {
  return indexOf(ended).byId.get(id);
}

/** The account's ended triggers, by their creation. */
export function endedTriggersOf(
  ended: EndedTriggers,
  account: AccountId,
  window: RowWindow,
): readonly Row[] {
  return rowsOf(indexOf(ended), account, window);
}
