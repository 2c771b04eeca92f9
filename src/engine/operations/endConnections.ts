// The end of armed connections (COD-4): the orders of their accounts end, market by market, as many
// at once as the work allows, the others at the beginning of the next batches (COD-5).

import { assert, must } from '../../std/assert.ts';
import type { MarketId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { dealCover } from '../clearing/cover.ts';
import type { ArmedConnection, EndedConnection } from '../connection.ts';
import type { EndConnections } from '../connectionCommand.ts';
import { flushEnded } from '../endOrder.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange } from '../exchange.ts';
import { connectionsPerCommandMax, disconnectWorkMax } from '../limits.ts';
import type { Order } from '../order.ts';
import type { Outcome } from '../outcome.ts';
import { onlyReduces, type Trigger, takesPlace } from '../trigger.ts';
import { partsOf, unitsOfWork, workOf } from '../work.ts';
import { cancelQueues } from './cancelAllOrders.ts';

export function endConnections(exchange: Exchange, command: EndConnections): Outcome {
  const { connections } = command;
  const named = connections?.length ?? 0;
  assert(named <= connectionsPerCommandMax, 'a command ends a bounded number of connections');
  const { armed } = exchange.connections;
  const ids = connections ?? [...armed.keys()];
  // From here endConnections must succeed.
  exchange.committed = true;
  let count = 0;
  for (const id of ids) {
    exchange.work += workOf.visited;
    const connection = armed.get(id);
    if (connection === undefined) continue;
    listEnded(exchange, connection);
    count += 1;
  }
  endDisconnected(exchange, exchange.work + partsOf(disconnectWorkMax));
  return { kind: 'accepted', cancelled: count };
}

function listEnded(exchange: Exchange, { id, account, markets }: ArmedConnection): void {
  const { armed, queue } = exchange.connections;
  armed.delete(id);
  exchange.accounts[account]!.armedConnections -= 1;
  queue.push({ account, markets, sequence: exchange.sequence, done: 0 });
  exchange.events.push({ kind: 'connectionEnded', account, connection: id });
}

/**
 * Ends what ended connections leave until the exchange's work reaches `workMax`. Connections take
 * turns: one market of each, so that an account with many orders delays no other (COD-5). Cost: the
 * markets that it looks at, and the ends.
 */
export function endDisconnected(exchange: Exchange, workMax: number): void {
  const { connections } = exchange;
  while (connections.queue.length > 0 && exchange.work < workMax) {
    const ended = must(connections.queue[connections.turn], 'a connection has the turn');
    takeTurn(exchange, ended);
    connections.turn += 1;
    if (connections.turn < connections.queue.length) continue;
    connections.turn = 0;
    connections.queue = connections.queue.filter((each) => hasMarketsLeft(exchange, each));
  }
}

function hasMarketsLeft({ markets }: Exchange, ended: EndedConnection): boolean {
  return ended.done < (ended.markets.length === 0 ? markets.length : ended.markets.length);
}

/** Looks at the connection's next markets, up to the first on which something ends. */
function takeTurn(exchange: Exchange, ended: EndedConnection): void {
  const account = must(exchange.accounts[ended.account], 'an account that may arm is kept');
  while (hasMarketsLeft(exchange, ended)) {
    const market = ended.markets[ended.done] ?? (ended.done as MarketId);
    ended.done += 1;
    const before = exchange.work;
    exchange.work += workOf.position + account.triggers.length * workOf.looked;
    const cancelled = endOnMarket(exchange, { account, market, sequence: ended.sequence });
    if (cancelled === 0) continue;
    const work = unitsOfWork(exchange.work - before);
    const { id } = account;
    exchange.events.push({ kind: 'disconnectApplied', account: id, market, cancelled, work });
    return;
  }
}

type Ending = Pick<EndedConnection, 'sequence'> & {
  readonly account: Account;
  readonly market: MarketId;
};

/** COD-2: orders, then triggers, that are not younger than the end of the connection. */
function endOnMarket(exchange: Exchange, { account, market, sequence }: Ending): number {
  const isOlder = ({ id, trigger }: Order): boolean => (trigger?.id ?? id) <= sequence;
  const protects = ({ trigger }: Order): boolean => trigger !== null && onlyReduces(trigger);
  const position = account.positions[market];
  let cancelled = 0;
  if (position !== undefined && position.orderCount > 0) {
    const ends = (order: Order): boolean => isOlder(order) && !protects(order);
    cancelled = cancelQueues(exchange, position, 'DISCONNECT', ends);
    if (cancelled > 0) dealCover(exchange, account, position);
    flushEnded(exchange);
  }
  if (account.waitingTriggers === 0) return cancelled;
  const opens = (trigger: Trigger): boolean =>
    trigger.market === market &&
    takesPlace(trigger) &&
    !onlyReduces(trigger) &&
    trigger.id <= sequence;
  const opening = account.triggers.filter(opens);
  for (const trigger of opening) endTrigger(exchange, trigger, 'CANCELED');
  return cancelled + opening.length;
}
