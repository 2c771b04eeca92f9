// The copies of a client that uses only the messages of its channels: a book, an account, a
// list of trades. It applies them as docs/rules/streams.md says, and complains when one is missing.

import { crc32 } from 'node:zlib';
import type { Said } from './streamWorld.ts';

/** The position of a client in a channel, which it needs to come back. */
export type Standing = { seq: number; epoch: string };

export function createStanding(): Standing {
  return { seq: -1, epoch: '' };
}

/** Takes over the message's place; throws when a message was lost or came twice. */
export function follow(standing: Standing, message: Said): void {
  const begins = message.snapshot === true;
  if (!begins && (message.prev_seq !== standing.seq || message.epoch !== standing.epoch)) {
    throw new Error(`${message.channel}: ${message.prev_seq} follows ${standing.seq}`);
  }
  if (!begins && message.seq <= message.prev_seq) throw new Error('numbers rise');
  standing.seq = message.seq;
  standing.epoch = message.epoch;
}

export type BookCopy = {
  readonly standing: Standing;
  readonly bids: Map<string, string>;
  readonly asks: Map<string, string>;
};

export function createBookCopy(): BookCopy {
  return { standing: createStanding(), bids: new Map(), asks: new Map() };
}

export function applyDepth(copy: BookCopy, message: Said): void {
  follow(copy.standing, message);
  for (const side of ['bids', 'asks'] as const) {
    if (message.snapshot) copy[side].clear();
    for (const [price, quantity] of message[side]) {
      if (quantity === '0') copy[side].delete(price);
      else copy[side].set(price, quantity);
    }
  }
  const checksum = checksumOf(copy);
  if (checksum !== message.checksum) throw new Error(`checksum ${message.checksum}, ${checksum}`);
}

/** Best first. */
export function levelsOf(copy: BookCopy, side: 'bids' | 'asks'): [string, string][] {
  const sign = side === 'bids' ? -1 : 1;
  return [...copy[side]].sort(([a], [b]) => sign * (Number(a) - Number(b)));
}

export function checksumOf(copy: BookCopy): number {
  const [bids, asks] = [levelsOf(copy, 'bids'), levelsOf(copy, 'asks')];
  const parts: string[] = [];
  for (let i = 0; i < 25; i += 1) {
    if (bids[i] !== undefined) parts.push(...bids[i]!);
    if (asks[i] !== undefined) parts.push(...asks[i]!);
  }
  return crc32(parts.join(':'));
}

export type AccountCopy = {
  readonly standing: Standing;
  balance: Said;
  /** By symbol; none that is flat. */
  readonly positions: Map<string, Said>;
  /** Live orders by id. */
  readonly orders: Map<string, Said>;
  /** Triggers that wait, and legs that wait for their parents, by id. */
  readonly triggers: Map<string, Said>;
  readonly fills: Said[];
};

export function createAccountCopy(): AccountCopy {
  return {
    standing: createStanding(),
    balance: undefined,
    positions: new Map(),
    orders: new Map(),
    triggers: new Map(),
    fills: [],
  };
}

const liveStatuses = ['NEW', 'PARTIALLY_FILLED'];
const waitingStatuses = ['NEW', 'PENDING'];

export function applyAccount(copy: AccountCopy, message: Said): void {
  if (message.event === 'figures') return applyFigures(copy, message.data);
  follow(copy.standing, message);
  const { positions, orders, triggers } = copy;
  if (message.snapshot) {
    positions.clear();
    orders.clear();
    triggers.clear();
    copy.balance = message.balances[0];
    for (const row of message.positions) positions.set(row.symbol, row);
    for (const row of message.orders) orders.set(row.order_id, row);
    for (const row of message.triggers) triggers.set(row.algo_id, row);
    return;
  }
  const { event, data } = message;
  if (event === 'fill') copy.fills.push(data);
  if (event === 'balance') copy.balance = data;
  if (event === 'position' && data.position_amt === '0') positions.delete(data.symbol);
  else if (event === 'position') positions.set(data.symbol, data);
  if (event === 'order' && liveStatuses.includes(data.status)) orders.set(data.order_id, data);
  else if (event === 'order') orders.delete(data.order_id);
  if (event !== 'trigger') return;
  if (waitingStatuses.includes(data.algo_status)) triggers.set(data.algo_id, data);
  else triggers.delete(data.algo_id);
}

/** What moved with the mark alone is of rows that the copy has; throws for any other. */
function applyFigures(copy: AccountCopy, { balance, positions, triggers }: Said): void {
  copy.balance = balance;
  for (const row of positions) {
    const known = copy.positions.get(row.symbol);
    if (known?.position_amt !== row.position_amt) throw new Error(`${row.symbol} has changed`);
    copy.positions.set(row.symbol, row);
  }
  for (const { algo_id, trigger_price } of triggers) {
    const known = copy.triggers.get(algo_id);
    if (known === undefined) throw new Error(`no trigger ${algo_id}`);
    copy.triggers.set(algo_id, { ...known, trigger_price });
  }
}
