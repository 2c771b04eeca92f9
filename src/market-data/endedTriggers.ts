// The last ended triggers: cancelled, expired, failed or finished (TRG-2). They are found by either
// id; history has the lists. Bounded; part of the archivist's snapshot.

import { viewRowsMax } from '../engine/limits.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import {
  createReferenceIndex,
  findByReference,
  type Reference,
  type ReferenceIndex,
} from './referenceIndex.ts';
import { createRowRing, indexOf, type RowRing } from './rowRing.ts';

type Row = Readonly<Trigger>;

export type EndedTriggers = RowRing<Row, ReferenceIndex<Row>>;

export function createEndedTriggers(max: number = viewRowsMax): EndedTriggers {
  return createRowRing(max, createReferenceIndex<Row>);
}

/** An ended trigger of the account. */
export function findEndedTrigger(
  ended: EndedTriggers,
  account: AccountId,
  reference: Reference,
): Row | undefined {
  return findByReference(indexOf(ended), account, reference);
}

/** An ended trigger of any account. */
export function findEndedTriggerById(ended: EndedTriggers, id: OrderId): Row | undefined {
  return indexOf(ended).byId.get(id);
}
