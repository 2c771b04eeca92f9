// What it means when the caller has no such waiting trigger: it is another account's, has ended or
// never existed.

import type { OrderReference } from '../../engine/command.ts';
import type { Account } from '../../engine/views/account.ts';
import { triggerById } from '../../engine/views/exchange.ts';
import type { Deployment } from '../deployment.ts';
import { refusalOfMissingTrigger } from '../fapi/algoChoice.ts';
import type { Refusal } from '../refusal.ts';

export function refusalOfNativeTrigger(
  deployment: Deployment,
  account: Account,
  reference: OrderReference,
): Refusal | Promise<Refusal> {
  if ('id' in reference) {
    const { id, createdAt } = reference;
    const shown = triggerById(deployment.exchange, id) ?? deployment.findEndedTriggerById(id);
    const foreign = shown !== undefined && shown.account !== account.id;
    if (foreign && shown.createdAt === createdAt) return { reason: 'orderNotOwned' };
  }
  return refusalOfMissingTrigger(deployment, account, reference);
}
