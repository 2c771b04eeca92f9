// Price-time matching, fill by fill: self-trade prevention, caps, guards, settlement (ORD-1, ORD-4,
// OI-1, MAR-4).

import { least } from './exact.ts';
import { cancel, dealCover } from './naiveCover.ts';
import { endOrder } from './naiveDebit.ts';
import { marketOf } from './naiveFigures.ts';
import { type Leg, settleFill, type Tentative } from './naiveFill.ts';
import { boundBreached, type Fill, fillAboveBracket, standsFill } from './naiveFillCheck.ts';
import { rateOf, shareWithReferrers } from './naiveReferral.ts';
import { count, type NaiveOrder, type NaiveState } from './naiveState.ts';

export type Incoming = {
  readonly order: NaiveOrder;
  /** The worst price that it may trade at. */
  readonly limit: bigint;
  /** Of the exchange itself: no guard, no fee, and its prints never enter the mark. */
  readonly own: boolean;
  readonly tentative: Tentative;
};

/** The best resting order that the incoming one may meet, the oldest of its price. */
export function bestMaker(
  state: NaiveState,
  { market, side }: Pick<NaiveOrder, 'market' | 'side'>,
  limit: bigint,
): NaiveOrder | undefined {
  let best: NaiveOrder | undefined;
  for (const maker of state.orders) {
    if (!maker.resting || maker.market !== market || maker.side === side) continue;
    if ((maker.ticks - limit) * side > 0n) continue;
    if (best === undefined || (maker.ticks - best.ticks) * side < 0n) best = maker;
  }
  return best;
}

/** Ends the orders that must end when the order meets one of its account; gives whether it did. */
function selfTraded(state: NaiveState, order: NaiveOrder, maker: NaiveOrder): boolean {
  if (order.account !== maker.account) return false;
  // An isolated position never trades with itself (ORD-4b).
  const { isolated } = state.accounts[order.account]!;
  const mode = isolated && order.selfTrade === 'NONE' ? 'EXPIRE_MAKER' : order.selfTrade;
  if (mode === 'NONE') return false;
  if (mode !== 'EXPIRE_TAKER') endOrder(state, maker, 'SELF_TRADE');
  if (mode !== 'EXPIRE_MAKER') endOrder(state, order, 'SELF_TRADE');
  dealCover(state, order.account, order.market);
  return true;
}

/** Lets an incoming order trade as far as it goes. It is in `state.orders`, as the last. */
export function sweep(state: NaiveState, incoming: Incoming): Fill[] {
  const { order, limit } = incoming;
  const { terms } = marketOf(state, order.market);
  const fills: Fill[] = [];
  while (order.open > 0n) {
    const maker = bestMaker(state, order, limit);
    if (maker === undefined) break;
    if (selfTraded(state, order, maker)) continue;
    const fill = { lots: least(order.open, maker.open), ticks: maker.ticks };
    if (!incoming.own) {
      const breached = boundBreached(state, order, fill);
      if (breached !== undefined) {
        cancel(state, order, breached);
        break;
      }
      const isAbove = fillAboveBracket(state, order, fill);
      const rate = rateOf(state, order.account, terms.takerFee);
      if (isAbove || !standsFill(state, order, fill, rate)) {
        cancel(state, order, 'MARGIN');
        break;
      }
    }
    const breached = boundBreached(state, maker, fill);
    if (breached !== undefined) {
      cancel(state, maker, breached);
      continue;
    }
    const isAbove = fillAboveBracket(state, maker, fill);
    if (isAbove) count(state, 'makerAboveBracket');
    const rate = rateOf(state, maker.account, terms.makerFee);
    if (isAbove || !standsFill(state, maker, fill, rate)) {
      cancel(state, maker, 'MARGIN');
      continue;
    }
    trade(state, incoming, maker, fill);
    fills.push(fill);
  }
  return fills;
}

/** The taker's side is settled first, then the maker's. */
function trade(state: NaiveState, incoming: Incoming, maker: NaiveOrder, fill: Fill): void {
  const { order, own, tentative } = incoming;
  const market = marketOf(state, order.market);
  const takerFee = own ? 0n : rateOf(state, order.account, market.terms.takerFee);
  const makerFee = rateOf(state, maker.account, market.terms.makerFee);
  const place = { market: order.market, ...fill };
  const takerLeg: Leg = { ...place, account: order.account, side: order.side, order, tentative };
  const makerLeg: Leg = { ...place, account: maker.account, side: maker.side, order: maker };
  const paid = settleFill(state, takerLeg, { rate: takerFee, rebateMax: 0n });
  const given = settleFill(state, makerLeg, { rate: makerFee, rebateMax: paid });
  const taker = { account: order.account, paid };
  shareWithReferrers(state, order.market, taker, { account: maker.account, paid: given });
  for (const side of [order, maker]) state.accounts[side.account]!.traded = true;
  if (!own) market.lastRegular = fill.ticks;
}
