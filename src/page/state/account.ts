// A copy of the account: balance, positions, open orders and fills, kept by the messages of its
// channel (WS-2).

import { type Signal, signal } from '@preact/signals';
import type { AccountMessage } from '../../client/streamClient.ts';

type EventOf<Name extends string> = Extract<AccountMessage, { readonly event: Name }>['data'];
type Snapshot = Extract<AccountMessage, { readonly snapshot: true }>;

export type Balance = Snapshot['balances'][0];
export type Position = Snapshot['positions'][number];
export type Order = Snapshot['orders'][number];
export type Trigger = Snapshot['triggers'][number];
export type Fill = EventOf<'fill'>;
export type Liquidation = EventOf<'liquidation'>;
export type FundingPayment = EventOf<'funding'>;
type Figures = EventOf<'figures'>;

export type AccountCopy = {
  /** How many deposits and steps of withdrawals it has heard of. */
  readonly transfers: Signal<number>;
  /** Whether a snapshot has come since the login. */
  readonly isKnown: Signal<boolean>;
  readonly balance: Signal<Balance | undefined>;
  /** By symbol; closed positions are not in it. */
  readonly positions: Signal<ReadonlyMap<string, Position>>;
  /** Open orders by id. */
  readonly orders: Signal<ReadonlyMap<string, Order>>;
  /** Triggers that wait, and legs that wait for their parents, by id. */
  readonly triggers: Signal<ReadonlyMap<string, Trigger>>;
  /** Newest first. */
  readonly fills: Signal<readonly Fill[]>;
  /** Requests whose answers may come before the messages about their orders. */
  readonly awaited: Set<AwaitedOrder>;
};

export type AwaitedOrder = {
  /** Orders of which messages have come since the request. */
  readonly heard: Set<string>;
  /** Whether the copy has begun anew since then. */
  isOutdated: boolean;
};

/** What happened to the account just now, for notices. */
export type AccountNews =
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'orderEnded'; readonly order: Order }
  | { readonly kind: 'liquidation'; readonly liquidation: Liquidation }
  | { readonly kind: 'funding'; readonly funding: FundingPayment };

const fillsKept = 1000;
const openStatuses: ReadonlySet<string> = new Set(['NEW', 'PARTIALLY_FILLED']);
const waitingStatuses: ReadonlySet<string> = new Set(['NEW', 'PENDING']);

export function createAccountCopy(): AccountCopy {
  return {
    isKnown: signal(false),
    balance: signal(undefined),
    positions: signal(new Map()),
    orders: signal(new Map()),
    triggers: signal(new Map()),
    transfers: signal(0),
    fills: signal([]),
    awaited: new Set(),
  };
}

export function forgetAccount(copy: AccountCopy): void {
  outdate(copy);
  copy.isKnown.value = false;
  copy.balance.value = undefined;
  copy.positions.value = new Map();
  copy.orders.value = new Map();
  copy.triggers.value = new Map();
  copy.fills.value = [];
}

const isOpen = ({ position_amt }: Position): boolean => !/^-?0(?:\.0*)?$/.test(position_amt);

/** Takes one message over; gives what people should hear of. */
export function takeAccount(copy: AccountCopy, message: AccountMessage): AccountNews | undefined {
  if (!('event' in message)) {
    const { balances, positions, orders, triggers } = message;
    outdate(copy);
    copy.balance.value = balances[0];
    copy.positions.value = new Map(positions.filter(isOpen).map((each) => [each.symbol, each]));
    copy.orders.value = new Map(orders.map((each) => [each.order_id, each]));
    copy.triggers.value = new Map(triggers.map((each) => [each.algo_id, each]));
    copy.isKnown.value = true;
    return undefined;
  }
  switch (message.event) {
    case 'balance':
      copy.balance.value = message.data;
      return undefined;
    case 'position': {
      const positions = new Map(copy.positions.value);
      if (isOpen(message.data)) positions.set(message.data.symbol, message.data);
      else positions.delete(message.data.symbol);
      copy.positions.value = positions;
      return undefined;
    }
    case 'order':
      return takeOrder(copy, message.data);
    case 'trigger': {
      const triggers = new Map(copy.triggers.value);
      triggers.delete(message.data.algo_id);
      if (waitingStatuses.has(message.data.algo_status)) {
        triggers.set(message.data.algo_id, message.data);
      }
      copy.triggers.value = triggers;
      return undefined;
    }
    case 'figures':
      takeFigures(copy, message.data);
      return undefined;
    case 'fill':
      addFills(copy, [message.data]);
      return { kind: 'fill', fill: message.data };
    case 'funding':
      return { kind: 'funding', funding: message.data };
    case 'deposit':
    case 'withdrawal':
      copy.transfers.value += 1;
      return undefined;
    case 'liquidation':
      return { kind: 'liquidation', liquidation: message.data };
  }
}

/** What moved with the mark alone: rows that are known, with other figures. */
function takeFigures(copy: AccountCopy, { balance, positions, triggers }: Figures): void {
  copy.balance.value = balance;
  if (positions.length > 0) {
    const moved = positions.map((each) => [each.symbol, each] as const);
    copy.positions.value = new Map([...copy.positions.value, ...moved]);
  }
  if (triggers.length === 0) return;
  const waiting = new Map(copy.triggers.value);
  for (const { algo_id, trigger_price } of triggers) {
    const known = waiting.get(algo_id);
    if (known !== undefined) waiting.set(algo_id, { ...known, trigger_price });
  }
  copy.triggers.value = waiting;
}

function takeOrder(copy: AccountCopy, order: Order): AccountNews | undefined {
  for (const { heard } of copy.awaited) heard.add(order.order_id);
  const known = copy.orders.value.get(order.order_id);
  // The answer to the request has said it; the same object is not drawn again.
  if (known !== undefined && isSame(known, order)) return undefined;
  const orders = new Map(copy.orders.value);
  orders.delete(order.order_id);
  const opens = openStatuses.has(order.status);
  if (opens) orders.set(order.order_id, order);
  copy.orders.value = orders;
  return known !== undefined && !opens ? { kind: 'orderEnded', order } : undefined;
}

const isSame = (known: Order, order: Order): boolean =>
  Object.entries(order).every(([name, value]) => known[name as keyof Order] === value) &&
  Object.keys(known).length === Object.keys(order).length;

function outdate({ awaited }: AccountCopy): void {
  for (const each of awaited) each.isOutdated = true;
}

/**
 * The answer to an order is often here before the message about it: the copy takes the sooner of
 * the two. An answer is late once a message about its order has come, or the copy has begun anew:
 * the order may have ended since. When `send` has the result of an earlier request, it gives no
 * order.
 */
export async function awaitOrder<Answer>(
  copy: AccountCopy,
  send: () => Promise<{ readonly answer: Answer; readonly order: Order | undefined }>,
): Promise<Answer> {
  const awaited: AwaitedOrder = { heard: new Set(), isOutdated: !copy.isKnown.value };
  copy.awaited.add(awaited);
  try {
    const { answer, order } = await send();
    const isLate = order === undefined || awaited.heard.has(order.order_id);
    if (!isLate && !awaited.isOutdated) takeOrder(copy, order);
    return answer;
  } finally {
    copy.awaited.delete(awaited);
  }
}

/** Adds fills that history knows, or that have just happened; each once, newest first. */
export function addFills(copy: AccountCopy, fills: readonly Fill[]): void {
  const byId = new Map(copy.fills.value.map((fill) => [`${fill.symbol} ${fill.id}`, fill]));
  for (const fill of fills) byId.set(`${fill.symbol} ${fill.id}`, fill);
  copy.fills.value = [...byId.values()]
    .sort((a, b) => b.time - a.time || b.id - a.id)
    .slice(0, fillsKept);
}
