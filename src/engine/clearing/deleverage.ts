// Deleveraging (LIQ-4). The part of a bankrupt position that neither the book nor the fund takes is
// closed against opposite positions, best rank first. Winners share the remaining deficit.

import { assert } from '../../std/assert.ts';
import { createHeap, type Heap, heapPop, heapPush } from '../../std/heap.ts';
import type { AccountId, Lots, MarketId, Money, Ticks } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Fill } from '../fill.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import type { DeleveragingKind } from '../riskEvent.ts';
import { equityChangeAt } from './bankruptcy.ts';
import { closeAt } from './closeAt.ts';
import { bookCover, coverLoss } from './debit.ts';
import { fundMeans, fundOf, isFund } from './insurance.ts';
import { holdersOf } from './liquidationIndex.ts';
import { notionalAtMark, unrealizedOf } from './margin.ts';
import { type MarginStatus, marginStatusOf, subjectOf } from './marginStatus.ts';
import { compareRanks, type Rank, rankOf } from './rank.ts';
import { shareDeficit } from './shareDeficit.ts';

/** The state of deleveraging within one command. */
export type Deleveraging = {
  /** The rankings of positions, by market and side. */
  readonly rankings: Map<string, Ranking>;
  /** Remaining realised profit from deleveraging, by market and account. */
  readonly profits: Map<MarketId, Map<AccountId, number>>;
};

export function createDeleveraging(): Deleveraging {
  return { rankings: new Map(), profits: new Map() };
}

/**
 * The ranked positions of one side: those drawn so far, in order, and the rest. A place is
 * undefined when its position was removed; all places before `first` are.
 */
type Ranking = {
  readonly side: Side;
  readonly drawn: (Position | undefined)[];
  first: number;
  readonly rest: Heap<Rank>;
};

/**
 * The positions of a side of a market except the fund's, best rank first. Cost: all its positions.
 */
export function rankPositions(exchange: Exchange, market: Market, side: Side): Position[] {
  const ranks: Rank[] = [];
  for (const position of holdersOf(market)) {
    if (position.lots * side <= 0 || isFund(exchange.accounts[position.account]!)) continue;
    ranks.push(rankOf(exchange, market, position));
  }
  return ranks.sort(compareRanks).map(({ position }) => position);
}

/** The ranking as it was drawn; drawn again when all its positions are removed. */
function rankingOf(
  exchange: Exchange,
  { rankings }: Deleveraging,
  market: Market,
  side: Side,
): Ranking {
  const key = rankingKey(market, side);
  const present = rankings.get(key);
  if (present !== undefined && !isUsedUp(present)) return present;
  const rest = createHeap<Rank>((a, b) => compareRanks(a, b) < 0);
  for (const position of holdersOf(market)) {
    if (position.lots * side <= 0 || isFund(exchange.accounts[position.account]!)) continue;
    heapPush(rest, rankOf(exchange, market, position));
  }
  const ranking = { side, drawn: [], first: 0, rest };
  rankings.set(key, ranking);
  return ranking;
}

const rankingKey = (market: Market, side: Side): string => `${market.id} ${side}`;

/** Whether there is a place at `index`; draws it if it was not drawn yet. */
function isRanked(ranking: Ranking, index: number): boolean {
  if (index < ranking.drawn.length) return true;
  const next = heapPop(ranking.rest);
  if (next === undefined) return false;
  ranking.drawn.push(next.position);
  return true;
}

/** The position of the side at `index`; undefined when it is gone. */
function holderAt({ drawn, side }: Ranking, index: number): Position | undefined {
  const position = drawn[index];
  return position !== undefined && position.lots * side > 0 ? position : undefined;
}

function isUsedUp(ranking: Ranking): boolean {
  for (let index = ranking.first; isRanked(ranking, index); index += 1) {
    if (holderAt(ranking, index) !== undefined) return false;
  }
  return true;
}

/** A position that opens later is not the one that was ranked. */
function strikeOut(ranking: Ranking, index: number): void {
  ranking.drawn[index] = undefined;
  if (index === ranking.first) ranking.first += 1;
}

/** A part of a position that must be closed in this command. */
export type Closing = {
  readonly exchange: Exchange;
  readonly deleveraging: Deleveraging;
  readonly market: Market;
  readonly position: Position;
  readonly cause: DeleveragingKind;
  /** The margin status of what is deleveraged, before it. */
  readonly marginStatus: MarginStatus;
};

type Taker = { readonly counterparty: Position; readonly lots: Lots; readonly ticks: Ticks };

/** One pass over the opposite positions: at which price, and which counterparties may take part. */
type Pass = {
  readonly ticks: Ticks;
  readonly may: (counterparty: Position, size: Lots) => boolean;
};

/**
 * Closes `lots` of the position against others: at `ticks`, the price of LIQ-3d, as long as no
 * counterparty falls below zero by it, the rest at the mark. The market's winners share the unpaid
 * amount of its account.
 */
export function deleverage(closing: Closing, lots: Lots, ticks: Ticks): void {
  const { exchange, market } = closing;
  const { mark } = market.prices;
  const anybody: Pass = { ticks: mark, may: () => true };
  const passes: Pass[] = [
    { ticks, may: (other, size) => standsAfter(exchange, market, other, size, ticks) },
    { ticks: mark, may: (other) => equityOfHolder(exchange, other) >= 0 },
    anybody,
    // Against positions that opened since the ranking was drawn.
    anybody,
  ];
  let left = lots;
  for (const pass of passes) left = closeOver(closing, left, pass);
  assert(left === 0, 'the positions of a market cancel out, so everybody finds a counterparty');
}

/** Reduces the fund's position at the mark, as far as there are counterparties (LIQ-6). */
export function reduceFund(closing: Closing, lots: Lots): void {
  const { exchange, market, position, deleveraging } = closing;
  const may = (other: Position): boolean => equityOfHolder(exchange, other) >= 0;
  const pass = { ticks: market.prices.mark, may };
  const side = oppositeOf(position);
  const left = closeOver(closing, lots, pass);
  if (left === 0) return;
  // Against positions that opened since the ranking was drawn.
  deleveraging.rankings.delete(rankingKey(market, side));
  closeOver(closing, left, pass);
}

const oppositeOf = ({ lots }: Position): Side => (lots > 0 ? -1 : 1);

/**
 * Closes up to `lots` of the position against opposite positions: the fund's first, then by rank.
 * Gives the remaining lots.
 */
function closeOver(closing: Closing, lots: Lots, { ticks, may }: Pass): Lots {
  if (lots === 0) return lots;
  const { exchange, market, position, deleveraging } = closing;
  const side = oppositeOf(position);
  let left: number = lots;
  const meet = (counterparty: Position): void => {
    const size = Math.min(left, Math.abs(counterparty.lots)) as Lots;
    if (!may(counterparty, size)) return;
    closeAgainst(closing, { counterparty, lots: size, ticks });
    left -= size;
  };
  const ofFund = fundOf(exchange).positions[market.id];
  if (ofFund !== undefined && ofFund.lots * side > 0) meet(ofFund);
  if (left === 0) return left as Lots;
  const ranking = rankingOf(exchange, deleveraging, market, side);
  for (let index = ranking.first; left > 0 && isRanked(ranking, index); index += 1) {
    const counterparty = holderAt(ranking, index);
    if (counterparty !== undefined) meet(counterparty);
    if (holderAt(ranking, index) === undefined) strikeOut(ranking, index);
  }
  return left as Lots;
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
  return marginStatusOf(exchange, subjectOf(exchange, position)).equity;
}

/**
 * Closes both positions against each other at one price, the bankrupt one first. There are no fees.
 */
function closeAgainst(closing: Closing, { counterparty, lots, ticks }: Taker): void {
  const { exchange, market, position, deleveraging, cause, marginStatus } = closing;
  const rank = {
    unrealized: unrealizedOf(market, counterparty),
    notional: notionalAtMark(market, counterparty),
    entry: Math.abs(counterparty.entry) as Money,
    equity: equityOfHolder(exchange, counterparty) as Money,
  };
  const side = oppositeOf(position);
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
    marginStatus,
    bankrupt: fillOf(exchange, position, id, own.pnl),
    counterparty: fillOf(exchange, counterparty, id, other.pnl),
    rank,
  });
  if (other.pnl > 0) noteProfit(deleveraging, counterparty, other.pnl);
  coverLoss(exchange, counterparty, other.unpaid);
  if (cause === 'fund_reduction') coverLoss(exchange, position, own.unpaid);
  else if (own.unpaid > 0) {
    const profits = deleveraging.profits.get(market.id) ?? new Map<AccountId, number>();
    const { unpaid } = own;
    const deficit = { amount: unpaid, bankrupt: position.account };
    const shared = (unpaid - shareDeficit(exchange, market, profits, deficit)) as Money;
    bookCover(exchange, position, { unpaid, fund: 0 as Money, shared });
  }
}

function noteProfit({ profits }: Deleveraging, { market, account }: Position, pnl: number): void {
  const ofMarket = profits.get(market) ?? new Map<AccountId, number>();
  ofMarket.set(account, (ofMarket.get(account) ?? 0) + pnl);
  profits.set(market, ofMarket);
}

/** A position's side of a close without a trade; `id` is the event's number. */
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
