// Deleveraging (LIQ-4): what neither the book nor the fund takes of a bankrupt position is closed
// against opposite positions, best rank first, and a deficit that remains is shared by winners.

import { assert } from '../../std/assert.ts';
import { createHeap, type Heap, heapPop, heapPush } from '../../std/heap.ts';
import type { AccountId, Lots, MarketId, Money, Ticks } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Fill } from '../fill.ts';
import type { Market } from '../market.ts';
import type { Side } from '../order.ts';
import type { Position } from '../position.ts';
import type { DeleveragingKind } from '../riskEvent.ts';
import { equityChangeAt } from './bankruptcy.ts';
import { closeAt } from './closeAt.ts';
import { holdersOf } from './danger.ts';
import { bookCover, coverLoss } from './debit.ts';
import { fundMeans, fundOf, isFund } from './insurance.ts';
import { notionalAtMark, unrealizedOf } from './margin.ts';
import { compareRanks, type Rank, rankOf } from './rank.ts';
import { shareDeficit } from './shareDeficit.ts';
import { type Standing, standingOf, subjectOf } from './standing.ts';

/** What one command remembers of its deleveraging. */
export type Deleveraging = {
  /** By market and side of the ranked positions. */
  readonly rankings: Map<string, Ranking>;
  /** Realised deleveraging profit that is left, by market and account. */
  readonly profits: Map<MarketId, Map<AccountId, number>>;
};

export function createDeleveraging(): Deleveraging {
  return { rankings: new Map(), profits: new Map() };
}

/** The ranked positions of one side: those drawn so far, in order, and the rest. */
type Ranking = { readonly drawn: Position[]; first: number; readonly rest: Heap<Rank> };

/** The positions of a side of a market but the fund's, best rank first. Cost: all its positions. */
export function rankPositions(exchange: Exchange, market: Market, side: Side): Position[] {
  const ranks: Rank[] = [];
  for (const position of holdersOf(market)) {
    if (position.lots * side <= 0 || isFund(exchange.accounts[position.account]!)) continue;
    ranks.push(rankOf(exchange, market, position));
  }
  return ranks.sort(compareRanks).map(({ position }) => position);
}

function rankingOf(
  exchange: Exchange,
  { rankings }: Deleveraging,
  market: Market,
  side: Side,
): Ranking {
  const key = `${market.id} ${side}`;
  const present = rankings.get(key);
  if (present !== undefined) return present;
  const rest = createHeap<Rank>((a, b) => compareRanks(a, b) < 0);
  for (const position of holdersOf(market)) {
    if (position.lots * side <= 0 || isFund(exchange.accounts[position.account]!)) continue;
    heapPush(rest, rankOf(exchange, market, position));
  }
  const ranking = { drawn: [], first: 0, rest };
  rankings.set(key, ranking);
  return ranking;
}

/** The ranked position at `index`, drawn when it has not been; undefined behind the last. */
function rankedAt(ranking: Ranking, index: number): Position | undefined {
  if (index === ranking.drawn.length) {
    const next = heapPop(ranking.rest);
    if (next !== undefined) ranking.drawn.push(next.position);
  }
  return ranking.drawn[index];
}

/** A part of a position that must be closed in this command. */
export type Closing = {
  readonly exchange: Exchange;
  readonly deleveraging: Deleveraging;
  readonly market: Market;
  readonly position: Position;
  readonly cause: DeleveragingKind;
  /** Of what is deleveraged, before. */
  readonly standing: Standing;
};

type Taker = { readonly counterparty: Position; readonly lots: Lots; readonly ticks: Ticks };

/**
 * Closes `lots` of the position against others: at its bankruptcy price as far as nobody falls
 * below zero by it, the rest at the mark; what its account then lacks is shared by the market's
 * winners. Gives the notional that was closed, each part at its price.
 */
export function deleverage(closing: Closing, lots: Lots, ticks: Ticks): Money {
  const { exchange, market, position, deleveraging } = closing;
  const opposite = (position.lots > 0 ? -1 : 1) as Side;
  let left: number = lots;
  let notional = 0;
  const pass = (at: Ticks, may: (counterparty: Position, size: Lots) => boolean): void => {
    for (const counterparty of counterpartiesOf(closing, opposite)) {
      if (left === 0) return;
      const size = Math.min(left, Math.abs(counterparty.lots)) as Lots;
      if (!may(counterparty, size)) continue;
      closeAgainst(closing, { counterparty, lots: size, ticks: at });
      notional += at * size * market.grain;
      left -= size;
    }
  };
  pass(ticks, (counterparty, size) => standsAfter(exchange, market, counterparty, size, ticks));
  const { mark } = market.prices;
  pass(mark, (counterparty) => equityOfHolder(exchange, counterparty) >= 0);
  pass(mark, () => true);
  if (left > 0) {
    // Positions that opened since the ranking was drawn.
    deleveraging.rankings.delete(`${market.id} ${opposite}`);
    pass(mark, () => true);
  }
  assert(left === 0, 'the positions of a market cancel out, so everybody finds a counterparty');
  return notional as Money;
}

/** Reduces the fund's position at the mark, as far as there are counterparties (LIQ-6). */
export function reduceFund(closing: Closing, lots: Lots): void {
  const { exchange, market, position, deleveraging } = closing;
  const opposite = (position.lots > 0 ? -1 : 1) as Side;
  let left: number = lots;
  const pass = (): void => {
    for (const counterparty of counterpartiesOf(closing, opposite)) {
      if (left === 0) return;
      if (equityOfHolder(exchange, counterparty) < 0) continue;
      const size = Math.min(left, Math.abs(counterparty.lots)) as Lots;
      closeAgainst(closing, { counterparty, lots: size, ticks: market.prices.mark });
      left -= size;
    }
  };
  pass();
  if (left === 0) return;
  // Positions that opened since the ranking was drawn.
  deleveraging.rankings.delete(`${market.id} ${opposite}`);
  pass();
}

/** The fund first when it is opposite, then by rank; never the position's own account. */
function* counterpartiesOf(closing: Closing, side: Side): Generator<Position, void, undefined> {
  const { exchange, market, position, deleveraging } = closing;
  const ofFund = fundOf(exchange).positions[market.id];
  if (ofFund !== undefined && ofFund !== position && ofFund.lots * side > 0) yield ofFund;
  const ranking = rankingOf(exchange, deleveraging, market, side);
  for (let index = ranking.first; ; index += 1) {
    const next = rankedAt(ranking, index);
    if (next === undefined) return;
    if (next.lots * side <= 0) {
      if (index === ranking.first) ranking.first += 1;
      continue;
    }
    if (next.account !== position.account) yield next;
  }
}

/** Whether closing at `ticks` leaves the counterparty at zero equity or more. */
function standsAfter(
  exchange: Exchange,
  market: Market,
  counterparty: Position,
  size: Lots,
  ticks: Ticks,
): boolean {
  const lots = (counterparty.lots > 0 ? size : -size) as Lots;
  const change = equityChangeAt(market, lots, ticks);
  if (isFund(exchange.accounts[counterparty.account]!)) return fundMeans(exchange) + change >= 0;
  return equityOfHolder(exchange, counterparty) + change >= 0;
}

function equityOfHolder(exchange: Exchange, position: Position): number {
  return standingOf(exchange, subjectOf(exchange, position)).equity;
}

/** Closes both positions against each other at one price; the bankrupt's first. No fees. */
function closeAgainst(closing: Closing, { counterparty, lots, ticks }: Taker): void {
  const { exchange, market, position, deleveraging, cause, standing } = closing;
  const rank = {
    unrealized: unrealizedOf(market, counterparty),
    notional: notionalAtMark(market, counterparty),
    entry: Math.abs(counterparty.entry) as Money,
    equity: equityOfHolder(exchange, counterparty) as Money,
  };
  const side = (position.lots > 0 ? -1 : 1) as Side;
  const id = drawNumber(exchange);
  const own = closeAt(exchange, position, lots, ticks);
  const other = closeAt(exchange, counterparty, lots, ticks);
  market.figures.tradeId += 1;
  exchange.events.push({
    kind: 'deleveraged',
    cause,
    id,
    market: market.id,
    tradeId: market.figures.tradeId,
    ticks,
    mark: market.prices.mark,
    lots,
    side,
    standing,
    bankrupt: fillOf(exchange, position, id, own.pnl),
    counterparty: fillOf(exchange, counterparty, id, other.pnl),
    rank,
  });
  if (other.pnl > 0) noteProfit(deleveraging, counterparty, other.pnl);
  coverLoss(exchange, counterparty, other.lacking);
  if (own.lacking > 0) {
    const profits = deleveraging.profits.get(market.id) ?? new Map<AccountId, number>();
    const { lacking } = own;
    const deficit = { amount: lacking, bankrupt: position.account };
    const shared = (lacking - shareDeficit(exchange, market, profits, deficit)) as Money;
    bookCover(exchange, position, { lacking, fund: 0 as Money, shared });
  }
}

function noteProfit({ profits }: Deleveraging, { market, account }: Position, pnl: number): void {
  const ofMarket = profits.get(market) ?? new Map<AccountId, number>();
  ofMarket.set(account, (ofMarket.get(account) ?? 0) + pnl);
  profits.set(market, ofMarket);
}

/** A position's side of a close that is no trade; `id` is that of the event. */
export function fillOf(
  exchange: Exchange,
  position: Position,
  id: Fill['order'],
  pnl: Money,
): Fill {
  const account = exchange.accounts[position.account]!;
  return {
    account: account.id,
    order: id,
    pnl,
    fee: 0 as Money,
    balance: balanceOf(account),
    position: position.lots,
  };
}
