// The invariants of pairs (ATT-1 … ATT-9): parents, legs and positions know the same pairs; no leg
// closes more than its pair may, and no pair more than its position and what its parent has filled.

import { directGet, directValues } from '../../std/directMap.ts';
import type { OrderId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { pairIdOf } from '../order.ts';
import { type Legs, notSmaller, type Pair } from '../pair.ts';
import { onlyReduces, type Trigger, takesPlace } from '../trigger.ts';
import { type Findings, must } from './findings.ts';

export function checkPairs(findings: Findings, exchange: Exchange): void {
  const { pairs, triggers, orders, sequence } = exchange;
  let before = 0;
  for (const [id, pair] of pairs) {
    must(findings, pair.name.id === id && id > before && id <= sequence, () => {
      return `pair ${id} does not stand by its number`;
    });
    before = id;
    checkPlace(findings, exchange, pair);
    checkLots(findings, exchange, pair);
    for (const leg of [pair.legs.takeProfit, pair.legs.stopLoss]) {
      checkLeg(findings, exchange, pair, triggers.get(leg));
    }
  }
  checkKnown(findings, exchange);
  for (const order of directValues(orders)) {
    checkParent(findings, exchange, order.legs, pairIdOf(order));
  }
  for (const { id, legs } of triggers.values()) checkParent(findings, exchange, legs, id);
}

function checkPlace(findings: Findings, { accounts }: Exchange, pair: Pair): void {
  const { account, market, name } = pair;
  const attachments = accounts[account]?.positions[market]?.attachments;
  must(findings, attachments?.pairs.includes(pair) === true, () => {
    return `pair ${name.id} is not listed with its position`;
  });
  must(findings, !pair.stirred, () => `pair ${name.id} has not been followed`);
}

/** Lots only while the position has the same life and at least as many. */
function checkLots(findings: Findings, exchange: Exchange, pair: Pair): void {
  const { name, lots, side } = pair;
  const market = exchange.markets[pair.market]!;
  if (market.dues.settledAt !== 0) return;
  const position = exchange.accounts[pair.account]!.positions[pair.market]!;
  const size = Math.max(position.lots * side, 0);
  must(findings, lots >= 0 && lots <= size && (name.kind !== 'position' || lots === 0), () => {
    return `pair ${name.id} may close ${lots} of ${position.lots} lots (ATT-2)`;
  });
  const isSame = position.attachments?.life === pair.life;
  must(findings, lots === 0 || isSame, () => `pair ${name.id} is of an earlier position`);
  const parent = directGet(
    exchange.orders,
    name.kind === 'trigger' ? (exchange.triggers.get(name.id)?.order ?? name.id) : name.id,
  );
  must(findings, parent === undefined || lots <= parent.filled, () => {
    return `pair ${name.id} may close ${lots} lots, its parent has filled ${parent?.filled}`;
  });
}

function checkLeg(
  findings: Findings,
  exchange: Exchange,
  { name, account, market, side, lots }: Pair,
  leg: Trigger | undefined,
): void {
  if (leg === undefined) return;
  const { id } = leg;
  const isOf = leg.account === account && leg.market === market && leg.side === -side;
  const isNamed = leg.pair?.id === name.id && leg.pair.createdAt === name.createdAt;
  must(findings, isNamed && leg.pair?.kind === name.kind && isOf && onlyReduces(leg), () => {
    return `leg ${id} does not belong to its pair ${name.id}`;
  });
  if (exchange.markets[market]!.dues.settledAt !== 0) return;
  if (name.kind === 'position') {
    must(findings, leg.closePosition && leg.status !== 'PENDING', () => {
      return `leg ${id} of a position is ${leg.status}`;
    });
  } else if (takesPlace(leg)) {
    const isRight = leg.lots === lots && (leg.status === 'NEW') === lots > 0;
    must(findings, isRight, () => {
      return `leg ${id} is ${leg.status} with ${leg.lots} of ${lots} lots (ATT-3)`;
    });
  } else {
    const order = directGet(exchange.orders, leg.order);
    must(findings, order !== undefined && order.open <= lots, () => {
      return `leg ${id} closes ${order?.open} of ${lots} lots (ATT-2)`;
    });
  }
}

/** Every leg has its pair, every pair a live leg, and no position lists another pair. */
function checkKnown(findings: Findings, exchange: Exchange): void {
  const { pairs, triggers } = exchange;
  const live = new Set<OrderId>();
  for (const { id, pair: name } of triggers.values()) {
    if (name === null) continue;
    live.add(name.id);
    const legs = pairs.get(name.id)?.legs;
    must(findings, legs?.takeProfit === id || legs?.stopLoss === id, () => {
      return `leg ${id} is in no pair`;
    });
  }
  const protecting = new Set<string>();
  for (const { name, account, market } of pairs.values()) {
    must(findings, live.has(name.id), () => `pair ${name.id} has no live leg`);
    if (name.kind !== 'position') continue;
    const place = `${account} ${market}`;
    must(findings, !protecting.has(place), () => `a position has two protections (ATT-9)`);
    protecting.add(place);
  }
  let listed = 0;
  for (const account of exchange.accounts) listed += checkAttachments(findings, account);
  must(findings, listed === pairs.size, () => `${pairs.size} pairs, ${listed} with positions`);
}

function checkAttachments(findings: Findings, account: Account | undefined): number {
  let listed = 0;
  for (const position of account?.positions ?? []) {
    const attachments = position?.attachments;
    if (!attachments) continue;
    const { pairs, low, shrunk } = attachments;
    listed += pairs.length;
    must(findings, low === notSmaller && !shrunk, () => {
      return `the pairs of account ${account?.id}, market ${position.market}, were not cut`;
    });
  }
  return listed;
}

/** While its pair lives, a parent names the same legs. */
function checkParent(
  findings: Findings,
  { pairs }: Exchange,
  legs: Legs | null,
  id: OrderId,
): void {
  if (legs === null) return;
  const { takeProfit, stopLoss } = pairs.get(id)?.legs ?? legs;
  const isSame = takeProfit === legs.takeProfit && stopLoss === legs.stopLoss;
  must(findings, isSame, () => `parent ${id} has legs of another pair`);
}
