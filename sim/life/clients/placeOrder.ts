// Places, amends and cancels orders like a careful client: with names, sometimes with an
// Idempotency-Key, and again when no answer came.

import { liveNameKey, nameKey } from '../oracles/keys.ts';
import type { LifeMarket } from '../ports.ts';
import {
  type Actor,
  chance,
  forget,
  newName,
  type OwnOrder,
  remember,
  seenOrder,
} from './actor.ts';
import type { Ask, Parameters, Received } from './createCaller.ts';
import { noteOrder } from './diary.ts';

export type OrderTerms = Parameters & { readonly side: 'BUY' | 'SELL' };

const closed = 'Market is closed.';
const retriesMax = 4;
/** Longer than the network keeps an answer, so that retries meet both results. */
const retryDelayMs = 700;

/** Sends a new order or trigger of the order route; gives its name. */
export function placeOrder(
  actor: Actor,
  { symbol }: LifeMarket,
  terms: OrderTerms,
  then: (received: Received | undefined) => void = () => {},
): string {
  const { prng, key, diary } = actor;
  const clientOrderId = newName(actor);
  const idempotencyKey = chance(prng, 35) ? `key-${clientOrderId}` : undefined;
  const single = chance(prng, 60);
  const parameters = { symbol, ...terms, newClientOrderId: clientOrderId };
  const base = { method: 'POST', path: '/fapi/v1/order', parameters } as const;
  const asked: Ask = {
    ...base,
    name: 'place',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    single,
    seen: ({ ok, body }) => (ok ? [seenOrder(key.account, body)] : []),
  };
  const attempt = (tries: number): void => {
    diary.sent.set(clientOrderId, (diary.sent.get(clientOrderId) ?? 0) + 1);
    actor.ask(asked, (received) => {
      if (received === undefined && tries < retriesMax && chance(prng, 70)) {
        actor.world.clock.after(retryDelayMs * tries, () => attempt(tries + 1));
        return;
      }
      noteOutcome(
        actor,
        { symbol, side: terms.side, clientOrderId },
        { received, idempotencyKey, single },
      );
      then(received);
    });
  };
  attempt(1);
  return clientOrderId;
}

type Ending = {
  readonly received: Received | undefined;
  readonly idempotencyKey: string | undefined;
  readonly single: boolean;
};

function noteOutcome(
  actor: Actor,
  order: OwnOrder,
  { received, idempotencyKey, single }: Ending,
): void {
  const { diary, key } = actor;
  const { clientOrderId } = order;
  if (received === undefined) {
    // The order may exist.
    remember(actor, order);
    return;
  }
  if (!received.ok) {
    if (received.body?.msg === closed) actor.prices.noteClosed(order.symbol);
    const once = single && diary.sent.get(clientOrderId) === 1;
    const what = `account ${key.account} by place (${JSON.stringify(received.body)})`;
    if (once && received.status < 500) {
      diary.refused.push({ account: key.account, clientOrderId, what });
    }
    return;
  }
  const { orderId, status } = received.body;
  noteOrder(diary, { account: key.account, symbol: order.symbol, orderId });
  if (idempotencyKey !== undefined) {
    const before = diary.made.get(idempotencyKey) ?? orderId;
    diary.made.set(idempotencyKey, before);
    if (before !== orderId) {
      diary.wrong.push(`key ${idempotencyKey} was answered ${before}, then ${orderId} (ID-3)`);
    }
  }
  if (status === 'NEW' || status === 'PARTIALLY_FILLED') remember(actor, order);
}

/** Codes of the convention: already ended, never existed. */
const ended = -2011;
const unknown = -2013;

export function cancelOrder(actor: Actor, order: OwnOrder, then?: (ok: boolean) => void): void {
  const { key } = actor;
  const { symbol, clientOrderId } = order;
  const asked: Ask = {
    name: 'cancel',
    method: 'DELETE',
    path: '/fapi/v1/order',
    parameters: { symbol, origClientOrderId: clientOrderId },
    seen: ({ ok, body }) => {
      if (ok) return [seenOrder(key.account, body)];
      const gone = body?.code === ended || body?.code === unknown;
      return gone ? [[{ key: liveNameKey(key.account, clientOrderId), value: '' }]] : [];
    },
  };
  actor.ask(asked, (received) => {
    if (received !== undefined) forget(actor, clientOrderId);
    then?.(received?.ok === true);
  });
}

export function modifyOrder(
  actor: Actor,
  { symbol, side, clientOrderId }: OwnOrder,
  terms: { readonly price: string; readonly quantity: string },
): void {
  const { key } = actor;
  const asked: Ask = {
    name: 'modify',
    method: 'PUT',
    path: '/fapi/v1/order',
    parameters: { symbol, side, origClientOrderId: clientOrderId, ...terms },
    seen: ({ ok, body }) => (ok ? [seenOrder(key.account, body)] : []),
  };
  actor.ask(asked, (received) => {
    if (received?.body?.code === ended || received?.body?.code === unknown)
      forget(actor, clientOrderId);
  });
}

/** Reads one order by its name; -2013 means that it never existed. */
export function readOrder(actor: Actor, { symbol, clientOrderId }: OwnOrder): void {
  const { key } = actor;
  actor.ask({
    name: 'read order',
    method: 'GET',
    path: '/fapi/v1/order',
    parameters: { symbol, origClientOrderId: clientOrderId },
    seen: ({ ok, body }) => {
      if (ok) return [seenOrder(key.account, body)];
      if (body?.code !== unknown) return [];
      return [[{ key: nameKey(key.account, clientOrderId), value: '' }]];
    },
  });
}
