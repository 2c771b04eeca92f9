// The memory of accepted requests under their Idempotency-Key (ID-3). A repeated request gets the
// result of the first; another request under the same key is refused.

import { must } from '../../std/assert.ts';
import type { Account, Idempotency } from '../account.ts';
import { idempotencyKeysMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';

type Request = { readonly idempotencyKey: string; readonly idempotencyRequest: string };

/** The outcome of a request whose key is in memory; undefined when it is not. */
export function repeatedRequest(account: Account, request: Request): Outcome | undefined {
  if (request.idempotencyKey === '') return undefined;
  const made = account.idempotency.get(request.idempotencyKey);
  if (made === undefined) return undefined;
  if (made.request !== request.idempotencyRequest) {
    return rejected({ reason: 'idempotencyConflict' });
  }
  const { kind, order, time } = made;
  return { kind: 'accepted', repeated: { kind, id: order, createdAt: time } };
}

/** Stores the result of an accepted request; at the bound the oldest key is dropped. */
export function rememberRequest(
  account: Account,
  request: Request,
  made: Omit<Idempotency, 'request'>,
): void {
  if (request.idempotencyKey === '') return;
  const { kind, order, time } = made;
  account.idempotency.set(request.idempotencyKey, {
    request: request.idempotencyRequest,
    kind,
    order,
    time,
  });
  if (account.idempotency.size <= idempotencyKeysMax) return;
  const oldest = must(account.idempotency.keys().next().value, 'a full memory has an oldest key');
  account.idempotency.delete(oldest);
}
