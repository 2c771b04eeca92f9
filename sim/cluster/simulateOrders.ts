// A client that spreads its orders over three processes, of which the holder of the lease counts
// them, and dies now and then. The counting is the real one; log and links are models: batches
// become durable after a while, and those of a holder that dies are in the log or not.

import { createAccount } from '../../src/engine/account.ts';
import type { ApiKey } from '../../src/engine/views/account.ts';
import { accountById, type Exchange } from '../../src/engine/views/exchange.ts';
import { takeOrderOf } from '../../src/gateway/accountCeilings.ts';
import { createKeyRing } from '../../src/gateway/keyRing.ts';
import {
  adoptLogged,
  countLogged,
  createLoggedOrders,
  type LoggedOrders,
  type OrderCharge,
  type OrderLimits,
  takeCharge,
} from '../../src/gateway/orderCharge.ts';
import { createRateLimits, recordOf } from '../../src/gateway/rateLimits.ts';
import { decodeBeside, encodeBeside } from '../../src/link/beside.ts';
import { must } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId, OrderId, Time } from '../../src/units/units.ts';

/** Both windows begin here. */
export const ordersStart = 1_760_000_040_000;

/** Account 0 with this many keys; the other records of the state are not there. */
export function exchangeOf(keys: number): { readonly exchange: Exchange; readonly keys: ApiKey[] } {
  const account = createAccount(0 as AccountId, '0x', ordersStart as Time);
  for (let index = 0; index < keys; index += 1) {
    account.apiKeys.push({
      ...{ id: (10 + index) as OrderId, account: account.id, apiKey: `key ${index}` },
      ...{ createdAt: ordersStart as Time, status: 'active', rateTier: 'standard', profile: '' },
    });
  }
  return { exchange: { accounts: [account] } as unknown as Exchange, keys: account.apiKeys };
}

export type OrderProcess = OrderLimits & { readonly logged: LoggedOrders; applied: number };

export function createOrderProcess(exchange: Exchange): OrderProcess {
  const secrets = { secretOf: () => '', profileOf: () => undefined };
  const limits = createRateLimits();
  return {
    exchange,
    limits,
    keys: createKeyRing(secrets),
    logged: createLoggedOrders(),
    applied: 0,
  };
}

/** A process that passes an order on counts it as it would alone. */
function admitHere(
  { limits, keys, exchange }: OrderProcess,
  apiKey: ApiKey | undefined,
  now: number,
): boolean {
  const account = must(accountById(exchange, 0 as AccountId), 'the client has an account');
  const counters =
    apiKey === undefined
      ? recordOf(limits.accounts, 0 as AccountId, now).orders
      : keys.useOf(apiKey, now).orders;
  const ceilings = limits.ceilings.tiers.standard;
  return takeOrderOf(limits, { counters, ceilings }, { account, weight: 0, isOrder: true, now });
}

type Batch = {
  readonly holder: OrderProcess;
  readonly bytes: Buffer;
  readonly count: number;
  /** What was really executed. */
  readonly charges: readonly OrderCharge[];
};

export type OrderWorld = {
  readonly seed: number;
  readonly keys: number;
  readonly kills: boolean;
  /** What can be wrong: a new holder begins at zero, or batches have no charges. */
  readonly mistake?: 'freshBuckets' | 'noCharges';
};

/** The charges of all orders that the surviving log contains. */
export function simulateOrders(world: OrderWorld): OrderCharge[] {
  const { keys: keyCount, kills, mistake } = world;
  const prng = createPrng(world.seed);
  const { exchange, keys } = exchangeOf(keyCount);
  const nodes = [0, 1, 2].map(() => createOrderProcess(exchange));
  const log: Batch[] = [];
  /** Given to the log by the present holder, and not durable yet. */
  let flying: Batch[] = [];
  let holder = 0;
  const apply = (index: number): void => {
    const node = nodes[index]!;
    for (const batch of log.slice(node.applied)) {
      for (const { charge } of decodeBeside(batch.bytes, batch.count)) {
        // The holder has counted them when it took them.
        if (charge !== undefined && batch.holder !== node) {
          countLogged(node.logged, charge as OrderCharge);
        }
      }
    }
    node.applied = log.length;
  };
  for (let at = 0; at < 125_000; at += 25) {
    const now = ordersStart + at;
    const charges: OrderCharge[] = [];
    for (let sent = prng.below(6); sent > 0; sent -= 1) {
      const receiver = prng.below(nodes.length);
      const apiKey = keys[prng.below(keys.length + 1)];
      if (receiver !== holder && !admitHere(nodes[receiver]!, apiKey, now)) continue;
      const sender = { account: 0 as AccountId, key: apiKey?.id ?? 0 };
      const charge = takeCharge(nodes[holder]!, sender, now);
      if (typeof charge !== 'string') charges.push(charge);
    }
    const shown = mistake === 'noCharges' ? [] : charges.map((charge) => ({ charge }));
    flying.push({
      holder: nodes[holder]!,
      bytes: encodeBeside(shown),
      count: shown.length,
      charges,
    });
    while (flying.length > prng.below(4)) log.push(flying.shift()!);
    for (const index of nodes.keys()) if (prng.below(3) === 0) apply(index);
    if (!kills || prng.below(200) > 0) continue;
    // The holder dies: some of what it has written is in the log, and a fresh process replaces it.
    log.push(...flying.slice(0, prng.below(flying.length + 1)));
    flying = [];
    const dead = holder;
    holder = (holder + 1 + prng.below(2)) % 3;
    apply(holder);
    if (mistake !== 'freshBuckets') adoptLogged(nodes[holder]!, nodes[holder]!.logged, now);
    nodes[dead] = createOrderProcess(exchange);
    apply(dead);
  }
  return [...log, ...flying].flatMap(({ charges }) => charges);
}
