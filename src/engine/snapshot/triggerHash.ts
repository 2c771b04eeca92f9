// Mixes every field of a trigger into a running hash. The hashes of events and of the state share
// it.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
import { sellFlag, triggerFlags } from '../codec/triggerFlags.ts';
import { pairKinds } from '../pair.ts';
import { extremeOf, type Trigger } from '../trigger.ts';
import { triggerStatuses } from '../triggerTypes.ts';
import { hashLegs } from './orderHash.ts';

const statusShift = 21;

export function hashTrigger(hash: Hash, trigger: Readonly<Trigger>): void {
  // Here the bit of the side means that the trigger buys.
  const flags = triggerFlags(trigger) ^ sellFlag;
  const status = enumerationIndex(triggerStatuses, trigger.status) << statusShift;
  hashPair(hash, flags | status, trigger.market);
  hashNumber(hash, trigger.id);
  hashNumber(hash, trigger.account);
  hashNumber(hash, trigger.lots);
  hashNumber(hash, trigger.ticks);
  hashNumber(hash, trigger.stopTicks);
  hashNumber(hash, trigger.goodTillDate);
  hashNumber(hash, trigger.createdAt);
  hashNumber(hash, trigger.markAtCreation);
  hashNumber(hash, trigger.callbackRate);
  hashNumber(hash, trigger.activationTicks);
  hashNumber(hash, extremeOf(trigger));
  hashNumber(hash, trigger.triggeredAt);
  hashNumber(hash, trigger.order);
  hashNumber(hash, trigger.updatedAt);
  hashNumber(hash, trigger.priority);
  hashText(hash, trigger.clientOrderId);
  hashText(hash, trigger.failure);
  const { pair, legs } = trigger;
  if (pair !== null) {
    hashNumber(hash, pair.id);
    hashNumber(hash, pair.createdAt);
    hashPair(hash, enumerationIndex(pairKinds, pair.kind), 1);
  }
  if (legs !== null) hashLegs(hash, legs);
}
