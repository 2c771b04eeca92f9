// What happens at most once: an Idempotency-Key makes one thing (ID-3), a name is unique among an
// account's live orders (ID-2), a deposit counts once for its reference (OPS-1).

import type { Command } from '../../../src/engine/command.ts';
import type { Event } from '../../../src/engine/event.ts';
import { idempotencyKeysMax } from '../../../src/engine/limits.ts';
import type { Accepted, Outcome } from '../../../src/engine/outcome.ts';
import type { AccountId, OrderId } from '../../../src/units/units.ts';
import type { Auditor } from './witness.ts';

type Once = {
  /** By account and key, what it made; the last thousand of each account, oldest first. */
  readonly made: Map<AccountId, Map<string, OrderId>>;
  /** By account and name, the order that has it. */
  readonly names: Map<string, OrderId>;
  readonly references: Set<string>;
};

export function createOnceAuditor(): Auditor {
  const once: Once = { made: new Map(), names: new Map(), references: new Set() };
  return (step) => {
    const wrong: string[] = [];
    const { command, outcome } = step;
    if (command !== undefined && outcome !== undefined) {
      wrong.push(...checkKeys(once, command, outcome));
    }
    for (const event of step.events) wrong.push(...checkEvent(once, event));
    return wrong;
  };
}

/** The keys of a command, and of each item of a batch. */
function checkKeys(once: Once, command: Command, outcome: Outcome): string[] {
  if (command.kind === 'batch') {
    const items = outcome.kind === 'accepted' ? (outcome.items ?? []) : [];
    return items.flatMap((item, index) => checkKeys(once, command.items[index]!, item));
  }
  const wrong = checkKey(once, command, outcome);
  return wrong === undefined ? [] : [wrong];
}

function checkKey({ made }: Once, command: Command, outcome: Outcome): string | undefined {
  if (!('idempotencyKey' in command) || command.idempotencyKey === '') return undefined;
  if (outcome.kind === 'rejected') return undefined;
  const { account, idempotencyKey: key } = command;
  const keys = made.get(account) ?? new Map<string, OrderId>();
  made.set(account, keys);
  const before = keys.get(key);
  const now = madeBy(outcome);
  if (before !== undefined) {
    if (outcome.repeated !== undefined && now === before) return undefined;
    return `key ${key} of account ${account} made ${now} after ${before} (ID-3)`;
  }
  if (outcome.repeated !== undefined) {
    return `key ${key} of account ${account} repeats ${now}, which it never made (ID-3)`;
  }
  keys.set(key, now);
  if (keys.size > idempotencyKeysMax) keys.delete(keys.keys().next().value!);
  return undefined;
}

function madeBy({ repeated, order, trigger, withdrawal }: Accepted): OrderId {
  return (repeated ?? order ?? trigger ?? withdrawal)!.id;
}

function checkEvent(once: Once, event: Event): string[] {
  switch (event.kind) {
    case 'orderPlaced':
      return takeName(once, event);
    case 'triggerPlaced':
      return takeName(once, event.trigger);
    case 'orderEnded':
    case 'triggerEnded': {
      const { account, clientOrderId, id } = 'order' in event ? event.order : event.trigger;
      const name = `${account} ${clientOrderId}`;
      if (once.names.get(name) === id) once.names.delete(name);
      return [];
    }
    case 'credited':
    case 'insuranceCredited':
      if (once.references.has(event.reference)) {
        return [`deposit ${event.reference} was counted twice (OPS-1)`];
      }
      once.references.add(event.reference);
      return [];
    default:
      return [];
  }
}

type Named = {
  readonly account: AccountId;
  readonly clientOrderId: string;
  readonly id: OrderId;
};

function takeName({ names }: Once, { account, clientOrderId, id }: Named): string[] {
  if (clientOrderId === '') return [];
  const name = `${account} ${clientOrderId}`;
  const holder = names.get(name);
  names.set(name, id);
  if (holder === undefined || holder === id) return [];
  return [`${id} of account ${account} took the name ${clientOrderId} from ${holder} (ID-2)`];
}
