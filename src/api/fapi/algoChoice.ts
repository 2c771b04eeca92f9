// How requests name one trigger, by `algoId` or `clientAlgoId`, the first prevailing (conventions,
// 9.5), and how it is found, whatever its route and state.

import type { Account } from '../../engine/account.ts';
import type { OrderReference } from '../../engine/command.ts';
import type { Trigger } from '../../engine/trigger.ts';
import { findTrigger } from '../../engine/views/findTrigger.ts';
import type { Deployment } from '../deployment.ts';
import { type Fields, isSent } from '../fields.ts';
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

/** Neither id: -1102. */
export function requiresAlgoChoice(_read: unknown, fields: Fields): Refusal | undefined {
  if (isSent(fields, 'algoid') || isSent(fields, 'clientalgoid')) return undefined;
  return { reason: 'parameterMissing', name: 'algoId' };
}

/** The trigger that a request names; both ids: `algoId`. */
export function algoReferenceOf({ algoId, clientAlgoId }: AlgoChoice): OrderReference {
  return algoId ?? { clientOrderId: clientAlgoId ?? '' };
}

/** One that waits or whose order lives, else the most recent ended one with that id. */
export function findAnyTrigger(
  deployment: Deployment,
  account: Account,
  reference: OrderReference,
): Readonly<Trigger> | undefined {
  const known = findTrigger(deployment.exchange, account, reference);
  if (known !== undefined) return known;
  const ended = deployment.findEndedTrigger(account.id, reference);
  if (ended === undefined) return undefined;
  return 'id' in reference && ended.createdAt !== reference.createdAt ? undefined : ended;
}
