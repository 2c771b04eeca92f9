// How requests name one trigger, by `algoId` or `clientAlgoId`, where the first wins (conventions,
// 9.5), and how it is found, in any state and of any route.

import type { OrderReference } from '../../engine/command.ts';
import type { Account } from '../../engine/views/account.ts';
import { findTrigger, type Trigger } from '../../engine/views/trigger.ts';
import type { Deployment } from '../deployment.ts';
import { type Fields, isSent } from '../fields.ts';
import { type HistoryFailure, hasFailed, type StoredTrigger } from '../historyPort.ts';
import { clientOrderIdParameter, optional, orderIdParameter } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';

export const algoChoiceParameters = {
  algoId: optional(orderIdParameter()),
  clientAlgoId: optional(clientOrderIdParameter()),
};

export type AlgoChoice = {
  readonly algoId?: Extract<OrderReference, { readonly id: unknown }> | undefined;
  readonly clientAlgoId?: string | undefined;
};

/** Neither id was sent: -1102. */
export function requiresAlgoChoice(_read: unknown, fields: Fields): Refusal | undefined {
  if (isSent(fields, 'algoid') || isSent(fields, 'clientalgoid')) return undefined;
  return { reason: 'parameterMissing', name: 'algoId' };
}

/** The trigger that a request names. When both ids are sent, `algoId` counts. */
export function algoReferenceOf({ algoId, clientAlgoId }: AlgoChoice): OrderReference {
  return algoId ?? { clientOrderId: clientAlgoId ?? '' };
}

/** A trigger that waits or whose order is active, else the most recent ended one with that id. */
export async function findAnyTrigger(
  { exchange, findEndedTrigger, history }: Deployment,
  caller: Account,
  reference: OrderReference,
): Promise<Readonly<Trigger> | StoredTrigger | undefined | HistoryFailure> {
  const known = findTrigger(exchange, caller, reference);
  if (known !== undefined) return known;
  const { id: account } = caller;
  const found =
    findEndedTrigger(account, reference) ??
    ('id' in reference
      ? await history.triggerById({ account, id: reference.id })
      : await history.triggerByClientId({ account, ...reference }));
  if (found === null) return undefined;
  if (hasFailed(found)) return found;
  return 'id' in reference && found.createdAt !== reference.createdAt ? undefined : found;
}

/**
 * Why there is no such waiting trigger: it does not wait any more, or it never existed. Nothing was
 * done in either case, so the trigger counts as unknown when history does not answer.
 */
export async function refusalOfMissingTrigger(
  deployment: Deployment,
  account: Account,
  reference: OrderReference,
): Promise<Refusal> {
  const known = await findAnyTrigger(deployment, account, reference);
  const unknown = known === undefined || hasFailed(known);
  return { reason: unknown ? 'orderUnknown' : 'orderEnded' };
}
