// Ended records (orders, triggers) by the names that clients use: the id, or the client's own id
// (ID-2).

import { parseGeneratedClientOrderId } from '../engine/clientOrderId.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import type { RowIndex } from './rowRing.ts';

type Record = {
  readonly id: OrderId;
  readonly account: AccountId;
  /** As the client sent it; empty when it is derived from the id. */
  readonly clientOrderId: string;
};

export type Reference = { readonly id: OrderId } | { readonly clientOrderId: string };

export type ReferenceIndex<Row> = RowIndex<Row> & {
  readonly byId: Map<OrderId, Row>;
  /** The latest record by account and client order id, for ids that clients sent. */
  readonly byClientOrderId: Map<string, Row>;
};

const clientKey = ({ account, clientOrderId }: Omit<Record, 'id'>): string =>
  `${account}:${clientOrderId}`;

export function createReferenceIndex<Row extends Record>(): ReferenceIndex<Row> {
  const byId = new Map<OrderId, Row>();
  const byClientOrderId = new Map<string, Row>();
  return {
    byId,
    byClientOrderId,
    add: (row) => {
      byId.set(row.id, row);
      if (row.clientOrderId !== '') byClientOrderId.set(clientKey(row), row);
    },
    remove: (row) => {
      byId.delete(row.id);
      if (row.clientOrderId === '') return;
      const key = clientKey(row);
      if (byClientOrderId.get(key) === row) byClientOrderId.delete(key);
    },
  };
}

/** The account's record of that name. */
export function findByReference<Row extends Record>(
  index: ReferenceIndex<Row>,
  account: AccountId,
  reference: Reference,
): Row | undefined {
  const row =
    'id' in reference
      ? index.byId.get(reference.id)
      : findByClientOrderId(index, account, reference.clientOrderId);
  return row !== undefined && row.account === account ? row : undefined;
}

// An id that the client did not send is derived from the record's number, and contains it.
function findByClientOrderId<Row extends Record>(
  { byId, byClientOrderId }: ReferenceIndex<Row>,
  account: AccountId,
  clientOrderId: string,
): Row | undefined {
  const given = byClientOrderId.get(clientKey({ account, clientOrderId }));
  if (given !== undefined) return given;
  const id = parseGeneratedClientOrderId(clientOrderId);
  const row = id === undefined ? undefined : byId.get(id);
  return row?.clientOrderId === '' ? row : undefined;
}
