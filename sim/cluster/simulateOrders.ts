// A client that spreads its orders over three processes, of which the holder of the lease counts
// them, and dies now and then. The counting is the real one; log and links are models: orders reach
// the holder after a while, batches become durable later, and those of a holder that dies are in
// the log or not. What was passed on to it and is in no batch is sent again, as the processes do.

import { createOrderShare, type OrderShare } from '../../src/bin/createOrderShare.ts';
import { createAccount } from '../../src/engine/account.ts';
import type { ApiKey } from '../../src/engine/views/account.ts';
import { accountById, type Exchange } from '../../src/engine/views/exchange.ts';
import { takeOrderOf } from '../../src/gateway/accountCeilings.ts';
import { createKeyRing } from '../../src/gateway/keyRing.ts';
import { createRateLimits, recordOf } from '../../src/gateway/rateLimits.ts';
import type { OrderLimits } from '../../src/gateway/takeCharge.ts';
import { decodeBeside, encodeBeside } from '../../src/link/beside.ts';
import type { OrderCharge } from '../../src/replica/replica.ts';
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

export type OrderProcess = OrderLimits & { readonly share: OrderShare; applied: number };

/** `now` is its clock. */
export function createOrderProcess(exchange: Exchange, now: () => number): OrderProcess {
  const secrets = { secretOf: () => '', profileOf: () => undefined };
  const limits = createRateLimits();
  const counting = { exchange, limits, keys: createKeyRing(secrets) };
  const share = createOrderShare({ now });
  share.serve(counting);
  return { ...counting, share, applied: 0 };
}

/** A process counts the orders of its own clients, as it would alone. */
function admitHere(
  { limits, keys, exchange }: OrderProcess,
  apiKey: ApiKey | undefined,
  now: number,
): OrderCharge | undefined {
  const account = must(accountById(exchange, 0 as AccountId), 'the client has an account');
  const counters =
    apiKey === undefined
      ? recordOf(limits.accounts, 0 as AccountId, now).orders
      : keys.useOf(apiKey, now).orders;
  const ceilings = limits.ceilings.tiers.standard;
  const charge = { account, weight: 0, isOrder: true, now };
  if (!takeOrderOf(limits, { counters, ceilings }, charge)) return undefined;
  return { account: account.id, key: apiKey?.id ?? 0, window: counters.tenSeconds.window };
}

/** `counted`: as its receiver has counted it. */
type SentOrder = { readonly receiver: OrderProcess; readonly counted: OrderCharge };
type Taken = { readonly order: SentOrder; readonly charge: OrderCharge };

type Batch = { readonly holder: OrderProcess; readonly bytes: Buffer; readonly taken: Taken[] };

export type OrderWorld = {
  readonly seed: number;
  readonly keys: number;
  readonly kills: boolean;
  /**
   * What can be wrong: a new holder begins at zero, batches have no charges, or what a new holder
   * had passed on is not counted when it takes it.
   */
  readonly mistake?: 'freshBuckets' | 'noCharges' | 'freePending';
};

/** The charges of all orders that the surviving log contains. */
export function simulateOrders(world: OrderWorld): OrderCharge[] {
  const { keys: keyCount, kills, mistake } = world;
  const prng = createPrng(world.seed);
  const { exchange, keys } = exchangeOf(keyCount);
  let now = ordersStart;
  const open = (): OrderProcess => createOrderProcess(exchange, () => now);
  const nodes = [open(), open(), open()];
  const log: Batch[] = [];
  /** Given to the log by the present holder, and not durable yet. */
  let flying: Batch[] = [];
  /** On their way to the holder. */
  let passed: SentOrder[] = [];
  let holder = 0;
  const apply = (node: OrderProcess): void => {
    for (const batch of log.slice(node.applied)) {
      // The holder has counted them when it took them.
      if (batch.holder === node || mistake === 'freshBuckets') continue;
      node.share.count(decodeBeside(batch.bytes, batch.taken.length));
    }
    node.applied = log.length;
  };
  const take = (order: SentOrder, taken: Taken[]): void => {
    const charge = nodes[holder]!.share.take(order.counted);
    if (typeof charge !== 'string') taken.push({ order, charge });
    else if (order.receiver !== nodes[holder]) order.receiver.share.giveBack(order.counted);
  };
  const write = (taken: Taken[]): void => {
    const shown = taken.map(({ charge }) => (mistake === 'noCharges' ? {} : { charge }));
    flying.push({ holder: nodes[holder]!, bytes: encodeBeside(shown), taken });
  };
  /** Some of what the holder has written is in the log, and a fresh process replaces it. */
  const kill = (): void => {
    const kept = prng.below(flying.length + 1);
    log.push(...flying.slice(0, kept));
    const lost = flying.slice(kept).flatMap(({ taken }) => taken.map(({ order }) => order));
    flying = [];
    const dead = nodes[holder]!;
    nodes[holder] = open();
    holder = (holder + 1 + prng.below(2)) % 3;
    const heir = nodes[holder]!;
    for (const node of nodes) apply(node);
    const again = [...passed, ...lost].filter(({ receiver }) => receiver !== dead);
    const pending = again.filter(({ receiver }) => receiver === heir);
    passed = again.filter(({ receiver }) => receiver !== heir);
    heir.share.lead(pending.map(({ counted }) => counted));
    const taken: Taken[] = [];
    for (const order of pending) {
      if (mistake === 'freePending') taken.push({ order, charge: order.counted });
      else take(order, taken);
    }
    write(taken);
  };
  for (; now < ordersStart + 125_000; now += 25) {
    const taken: Taken[] = [];
    for (let sent = prng.below(6); sent > 0; sent -= 1) {
      const receiver = nodes[prng.below(nodes.length)]!;
      const counted = admitHere(receiver, keys[prng.below(keys.length + 1)], now);
      if (counted === undefined) continue;
      const order = { receiver, counted };
      if (receiver === nodes[holder]) taken.push({ order, charge: counted });
      else passed.push(order);
    }
    while (passed.length > prng.below(8)) take(passed.shift()!, taken);
    write(taken);
    while (flying.length > prng.below(4)) log.push(flying.shift()!);
    for (const node of nodes) if (prng.below(3) === 0) apply(node);
    if (kills && prng.below(200) === 0) kill();
  }
  return [...log, ...flying].flatMap(({ taken }) => taken.map(({ charge }) => charge));
}
