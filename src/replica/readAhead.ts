// Reads from memory, before commands are applied, what they will touch. One command waits for a
// dozen records, one after the other, because the search for each goes through the one before. When
// many commands are read ahead together, these waits overlap
// (docs/decisions/0004-what-the-engine-waits-for.md). It only reads: no outcome depends on it.

import type { Account } from '../engine/account.ts';
import type { Command } from '../engine/command.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Order } from '../engine/order.ts';
import { newestOf, type Position } from '../engine/position.ts';
import { directGet } from '../std/directMap.ts';

/**
 * The number of commands that are read ahead at a time. What was fetched must still be in the cache
 * when they run.
 */
const aheadMax = 64;

/** The frequent commands; for other commands nothing is read ahead. */
type OrderCommand = Extract<Command, { kind: 'placeOrder' | 'cancelOrder' | 'modifyOrder' }>;

/**
 * Call it before each command of a list is applied, with the command's index. From time to time it
 * reads what the next commands will touch. It gives a meaningless number, so that no compiler may
 * remove the reading.
 */
export function readAhead(
  exchange: Exchange,
  commands: readonly ({ readonly command: Command } | undefined)[],
  index: number,
): number {
  if (index % aheadMax !== 0 || commands.length < 2) return 0;
  const ahead: OrderCommand[] = [];
  const accounts: Account[] = [];
  const entering: Account[] = [];
  const end = Math.min(index + aheadMax, commands.length);
  for (let i = index; i < end; i += 1) {
    const command = commands[i]?.command;
    if (command === undefined) continue;
    const { kind } = command;
    if (kind !== 'placeOrder' && kind !== 'cancelOrder' && kind !== 'modifyOrder') continue;
    const account = exchange.accounts[command.account];
    if (account === undefined) continue;
    ahead.push(command);
    accounts.push(account);
    // The end of an order finds the position by the order, and no other position matters.
    if (kind !== 'cancelOrder') entering.push(account);
  }
  const sum = readAccounts(accounts) + readLists(entering) + readPositions(positionsOf(entering));
  return sum + readOrders(ordersOf(exchange, ahead, accounts));
}

// Each loop takes one step for all of them, so that their waits overlap. The shorter the body of a
// loop, the more reads the processor has in flight: hence places instead of iterators.

function readAccounts(accounts: readonly Account[]): number {
  let sum = 0;
  for (let i = 0; i < accounts.length; i += 1) {
    sum += accounts[i]!.available;
    if (accounts[i]!.dirty) sum += 1;
  }
  return sum;
}

function readLists(accounts: readonly Account[]): number {
  let sum = 0;
  for (let i = 0; i < accounts.length; i += 1) sum += accounts[i]!.positions.length;
  return sum;
}

function positionsOf(accounts: readonly Account[]): Position[] {
  const found: Position[] = [];
  for (let i = 0; i < accounts.length; i += 1) {
    const { positions } = accounts[i]!;
    for (let market = 0; market < positions.length; market += 1) {
      const position = positions[market];
      if (position !== undefined) found.push(position);
    }
  }
  return found;
}

function readPositions(positions: readonly Position[]): number {
  let sum = 0;
  for (let i = 0; i < positions.length; i += 1) sum += positions[i]!.lots;
  // These may be on the next lines of the cache.
  for (let i = 0; i < positions.length; i += 1) {
    const { covered, epoch } = positions[i]!;
    sum += covered + epoch;
  }
  return sum;
}

/** The orders that commands end or change; for a new order its neighbour in the account's queue. */
function ordersOf(
  exchange: Exchange,
  ahead: readonly OrderCommand[],
  accounts: readonly Account[],
): Order[] {
  const orders: Order[] = [];
  for (let i = 0; i < ahead.length; i += 1) {
    const command = ahead[i]!;
    if (command.kind === 'placeOrder') {
      const position = accounts[i]!.positions[command.market];
      if (position === undefined) continue;
      const newest = newestOf(position, command.side);
      if (newest !== null) orders.push(newest);
    } else if ('id' in command.order) {
      const order = directGet(exchange.orders, command.order.id);
      if (order !== undefined) orders.push(order);
    }
  }
  return orders;
}

function readOrders(orders: readonly Order[]): number {
  let sum = 0;
  for (let i = 0; i < orders.length; i += 1) sum += orders[i]!.open;
  for (let i = 0; i < orders.length; i += 1) {
    const { createdAt, updatedAt, priority, level } = orders[i]!;
    sum += createdAt + updatedAt + priority;
    if (level !== null) sum += level.lots;
  }
  for (let i = 0; i < orders.length; i += 1) {
    const { previous, next, older, newer } = orders[i]!;
    if (previous !== null) sum += previous.open;
    if (next !== null) sum += next.open;
    if (older !== null) sum += older.open;
    if (newer !== null) sum += newer.open;
  }
  for (let i = 0; i < orders.length; i += 1) {
    const { position } = orders[i]!;
    if (position !== null) sum += position.orderCount + position.epoch;
  }
  return sum;
}
