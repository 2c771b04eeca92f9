// The lots that the legs of a pair may close (ATT-2). They follow the fills, in tentative
// executions too; operations/followPairs.ts makes the legs follow them when the command is
// committed.

import type { Lots } from '../../units/units.ts';
import type { Exchange } from '../exchange.ts';
import { type Order, pairIdOf } from '../order.ts';
import { type Attachments, notSmaller, type Pair } from '../pair.ts';
import type { Position } from '../position.ts';
import { stirPair } from '../stirPair.ts';
import { touchAttachments, touchPair } from '../undo.ts';
import { workOf } from '../work.ts';

/** What a fill of the order closed and opened. */
export type FilledParts = { readonly closing: Lots; readonly opening: Lots };

/**
 * After a fill of an order with legs, or of a leg: what it opened is added to its own pair, what it
 * closed is taken from the pair of its leg.
 */
export function countPairLots(
  exchange: Exchange,
  position: Position,
  order: Order,
  { closing, opening }: FilledParts,
): void {
  const opened = opening > 0 && order.legs !== null ? pairOf(exchange, order) : undefined;
  if (opened !== undefined) addLots(exchange, position, opened, opening);
  const name = order.trigger?.pair;
  const closed = closing > 0 && name ? exchange.pairs.get(name.id) : undefined;
  if (closed !== undefined) {
    setLots(exchange, closed, Math.max(closed.lots - closing, 0));
    stirPair(exchange, closed);
  }
}

/** undefined: both legs have ended. */
function pairOf({ drafted, pairs }: Exchange, order: Order): Pair | undefined {
  const id = pairIdOf(order);
  return drafted?.name.id === id ? drafted : pairs.get(id);
}

function addLots(exchange: Exchange, position: Position, pair: Pair, opened: Lots): void {
  const { attachments } = position;
  const life = attachments?.life ?? 0;
  if (attachments !== null && attachments.low !== notSmaller) {
    // What the position has lost before does not concern the lots that are opened now. The pair of
    // the incoming order is in no list yet, and a trade with itself may have taken its lots.
    const drafted = draftedOf(exchange, position);
    if (drafted !== undefined) cutPair(exchange, attachments, drafted);
    cutPairs(exchange, attachments);
  }
  touchPair(exchange.undo, pair);
  pair.lots = ((pair.life === life ? pair.lots : 0) + opened) as Lots;
  pair.life = life;
  stirPair(exchange, pair);
}

/**
 * Notes that a position with pairs is smaller now. They are cut later, all at once. A record whose
 * pairs have all ended is not touched: a restored state has none, and must count the same work
 * (ORD-14).
 */
export function noteSmaller(
  exchange: Exchange,
  attachments: Attachments,
  position: Position,
): void {
  const { lots } = position;
  const isAlone = attachments.pairs.length === 0;
  if (isAlone && draftedOf(exchange, position) === undefined) return;
  touchAttachments(exchange.undo, attachments);
  if (lots === 0) {
    attachments.life += 1;
    attachments.low = 0;
  } else attachments.low = Math.min(attachments.low, Math.abs(lots));
  if (attachments.shrunk) return;
  attachments.shrunk = true;
  exchange.shrunk.push(attachments);
}

/** The pair of the incoming order if it is of this position. */
function draftedOf({ drafted }: Exchange, { account, market }: Position): Pair | undefined {
  return drafted?.account === account && drafted.market === market ? drafted : undefined;
}

/** Cuts each pair to the least size of the position since the last time. Cost: the pairs. */
export function cutPairs(exchange: Exchange, attachments: Attachments): void {
  if (attachments.low === notSmaller) return;
  exchange.work += attachments.pairs.length * workOf.looked;
  for (const pair of attachments.pairs) cutPair(exchange, attachments, pair);
  touchAttachments(exchange.undo, attachments);
  attachments.low = notSmaller;
}

function cutPair(exchange: Exchange, { life, low }: Attachments, pair: Pair): void {
  const isGone = pair.life !== life;
  const isAsleep = pair.lots === 0 && pair.name.kind !== 'position';
  if (isAsleep || (!isGone && pair.lots <= low)) return;
  setLots(exchange, pair, isGone ? 0 : low);
  stirPair(exchange, pair);
}

function setLots(exchange: Exchange, pair: Pair, lots: number): void {
  touchPair(exchange.undo, pair);
  pair.lots = lots as Lots;
}
