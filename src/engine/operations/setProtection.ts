// The pair that protects a position (ATT-9): its legs close the whole position. The owner sets,
// replaces and removes each of them.

import { directGet } from '../../std/directMap.ts';
import type { OrderId } from '../../units/units.ts';
import { type Account, positionIn } from '../account.ts';
import type { AttachedTerms, SetProtection } from '../command.ts';
import { endTrigger } from '../endTrigger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { attachmentsOf, listPair } from '../listPair.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { createPair, type Pair } from '../pair.ts';
import type { Rejection } from '../rejection.ts';
import { type Trigger, takesPlace } from '../trigger.ts';
import { cancelResting } from './cancelOrder.ts';
import { checkLegCapacity, checkLegSides, checkPlaces, legsOf } from './checkLegs.ts';
import { checkMarketOpen } from './checkMarketOpen.ts';
import { liveLegs } from './followPairs.ts';
import { drawLegs, placeLegs } from './placeLegs.ts';

export function setProtection(exchange: Exchange, command: SetProtection): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const standing = protectionOf(exchange, account, market);
  const removed = standing === undefined ? [] : removedLegs(exchange, standing, command);
  const refused = checkProtection({ exchange, account, market }, command, removed);
  if (refused !== undefined) return rejected(refused);
  // From here setProtection must succeed.
  exchange.committed = true;
  for (const leg of removed) endLeg(exchange, account, leg);
  const attached = addedLegs(command);
  if (legsOf(attached).length > 0) protect({ exchange, account, market }, attached, standing);
  return { kind: 'accepted', legs: standingLegs(exchange, account, market) };
}

/** The pair of the position, while it lives. Cost: the account's triggers. */
function protectionOf(exchange: Exchange, account: Account, market: Market): Pair | undefined {
  for (const { pair, market: id } of account.triggers) {
    if (pair?.kind === 'position' && id === market.id) return exchange.pairs.get(pair.id);
  }
  return undefined;
}

function standingLegs(exchange: Exchange, account: Account, market: Market): Trigger[] {
  const pair = protectionOf(exchange, account, market);
  return pair === undefined ? [] : liveLegs(exchange, pair);
}

/** The legs that the command names, with other terms or with null. */
function removedLegs(exchange: Exchange, pair: Pair, command: SetProtection): Trigger[] {
  const { takeProfit, stopLoss } = pair.legs;
  return liveLegs(exchange, pair).filter(
    ({ id }) =>
      (id === takeProfit && command.takeProfit !== undefined) ||
      (id === stopLoss && command.stopLoss !== undefined),
  );
}

const addedLegs = ({ takeProfit, stopLoss }: SetProtection): AttachedTerms => ({
  takeProfit: takeProfit ?? undefined,
  stopLoss: stopLoss ?? undefined,
});

type Place = { readonly exchange: Exchange; readonly account: Account; readonly market: Market };

/** Removing alone needs nothing; it is allowed in every status of the market. */
function checkProtection(
  { exchange, account, market }: Place,
  command: SetProtection,
  removed: readonly Trigger[],
): Rejection | undefined {
  const attached = addedLegs(command);
  const added = legsOf(attached).length;
  if (added === 0) return undefined;
  const full = checkLegCapacity(exchange, added - removed.length);
  if (full !== undefined) return full;
  const closed = checkMarketOpen(market, exchange.time, 'reduces');
  if (closed !== undefined) return closed;
  const lots = account.positions[market.id]?.lots ?? 0;
  if (lots === 0) return { reason: 'reduceOnlyRejected' };
  const protectedSide = { side: Math.sign(lots) as Side, reference: market.prices.mark };
  const misplaced = checkLegSides(market, protectedSide, attached);
  if (misplaced !== undefined) return misplaced;
  const freed = removed.filter(takesPlace).length;
  return checkPlaces(exchange, account, { opening: 0, reducing: added - freed });
}

/** Ends a leg that waits, or the order of one that has fired. */
function endLeg(exchange: Exchange, account: Account, leg: Trigger): void {
  if (takesPlace(leg)) return endTrigger(exchange, leg, 'CANCELED');
  cancelResting(exchange, account, directGet(exchange.orders, leg.order)!, 'USER');
}

/** Places the legs, in the pair that stands if there is one. */
function protect(
  { exchange, account, market }: Place,
  attached: AttachedTerms,
  standing: Pair | undefined,
): void {
  const position = positionIn(account, market.id);
  const { takeProfit, stopLoss } = standing?.legs ?? noLegs;
  const id = standing?.name.id ?? drawNumber(exchange);
  const drawn = drawLegs(exchange, attached);
  const legs = {
    takeProfit: drawn.takeProfit || takeProfit,
    stopLoss: drawn.stopLoss || stopLoss,
  };
  const { selfTradePrevention } = market.terms;
  const options = { selfTradeMode: selfTradePrevention, status: 'NEW' } as const;
  if (standing !== undefined) {
    standing.legs = legs;
    return placeLegs(exchange, standing, attached, options);
  }
  const name = { id, createdAt: exchange.time, kind: 'position' } as const;
  const side = Math.sign(position.lots) as Side;
  const pair = createPair({ name, account: account.id, market: market.id, side, legs });
  pair.life = attachmentsOf(position).life;
  listPair(exchange, pair);
  placeLegs(exchange, pair, attached, options);
}

const noLegs = { takeProfit: 0 as OrderId, stopLoss: 0 as OrderId };
