// LIQ-4: the ranking, closing against it at the price of LIQ-3d and then at the mark, and sharing
// the unpaid amount.

import { floorDiv, least, most, signOf, sizeOf } from './exact.ts';
import { fundPays, intoShortfall, takePayment } from './naiveDebit.ts';
import { equityFor, fundId, fundOf, marketOf, notionalOf, profitOf } from './naiveFigures.ts';
import { settleClose } from './naiveFill.ts';
import { count, type NaiveAccount, type NaiveState } from './naiveState.ts';

/** What one index tick remembers of its deleveragings. */
export type Deleveraging = {
  /** Rankings by market and side, as they were drawn, without those who were struck out. */
  readonly rankings: Map<string, number[]>;
  /** Realised deleveraging profit that was not taken yet, by market and account. */
  readonly profits: Map<string, bigint>;
};

export const createDeleveraging = (): Deleveraging => ({ rankings: new Map(), profits: new Map() });

type Rank = { account: number; above: bigint; below: bigint; size: bigint };

/** upnl × notional / (|entry| × equity), as a fraction; no equity, no rank. */
function rankOf(state: NaiveState, account: NaiveAccount, market: number): Rank {
  const position = account.positions[market]!;
  const above = profitOf(state, position) * notionalOf(state, position);
  const below = sizeOf(position.entry) * equityFor(state, account, market);
  return { account: account.id, above, below, size: sizeOf(position.lots) };
}

function comesFirst(a: Rank, b: Rank): number {
  if (a.below > 0n !== b.below > 0n) return a.below > 0n ? -1 : 1;
  if (a.below > 0n) {
    const difference = a.above * b.below - b.above * a.below;
    if (difference !== 0n) return difference > 0n ? -1 : 1;
  }
  if (a.size !== b.size) return a.size > b.size ? -1 : 1;
  return a.account - b.account;
}

function drawRanking(state: NaiveState, market: number, side: bigint): number[] {
  return state.accounts
    .filter(({ id, positions }) => id !== fundId && positions[market]!.lots * side > 0n)
    .map((account) => rankOf(state, account, market))
    .sort(comesFirst)
    .map(({ account }) => account);
}

const rankingKey = (market: number, side: bigint): string => `${market} ${side}`;

const holdsOn = (state: NaiveState, id: number, market: number, side: bigint): boolean =>
  state.accounts[id]!.positions[market]!.lots * side > 0n;

/**
 * The ranking of a side of a market, made when it is first needed, and again when it is used up.
 */
function rankingOf(
  state: NaiveState,
  memory: Deleveraging,
  market: number,
  side: bigint,
): readonly number[] {
  const key = rankingKey(market, side);
  const known = memory.rankings.get(key);
  if (known?.some((id) => holdsOn(state, id, market, side))) return known;
  if (known !== undefined) count(state, 'rankedAgain');
  const drawn = drawRanking(state, market, side);
  memory.rankings.set(key, drawn);
  return drawn;
}

/**
 * An account without a position leaves the ranking; a position that it opens later is not ranked.
 */
function strikeOut(memory: Deleveraging, market: number, side: bigint, id: number): void {
  const key = rankingKey(market, side);
  const kept = memory.rankings.get(key)!.filter((other) => other !== id);
  memory.rankings.set(key, kept);
}

export type Bankrupt = { readonly account: number; readonly market: number };

/** Closes two opposite positions against each other; gives what the bankrupt cannot pay. */
function closeBoth(
  state: NaiveState,
  memory: Deleveraging,
  { account, market }: Bankrupt,
  other: number,
  { lots, ticks }: { lots: bigint; ticks: bigint },
): bigint {
  const side = -signOf(state.accounts[account]!.positions[market]!.lots);
  const { unpaid } = settleClose(state, { account, market, side, lots, ticks });
  const closed = settleClose(state, { account: other, market, side: -side, lots, ticks });
  const stillUnpaid = other === fundId ? closed.unpaid : fundPays(state, closed.unpaid);
  intoShortfall(state, stillUnpaid);
  const key = `${market} ${other}`;
  if (closed.pnl > 0n) memory.profits.set(key, (memory.profits.get(key) ?? 0n) + closed.pnl);
  count(state, 'deleveraged');
  return unpaid;
}

/** Whether it may be closed against the bankrupt at the price without falling below zero. */
function bears(state: NaiveState, id: number, market: number, change: bigint): boolean {
  const account = state.accounts[id]!;
  const equity = equityFor(state, account, market);
  const means = id === fundId ? least(account.available, equity) : equity;
  return means + change >= 0n;
}

type Pass = {
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly may: (id: number, lots: bigint) => boolean;
  /** Who bears what the bankrupt cannot pay. */
  readonly bear: (unpaid: bigint) => void;
};

/** One pass over the opposite positions, the fund first, then by rank; gives the rest. */
function passOver(state: NaiveState, memory: Deleveraging, bankrupt: Bankrupt, pass: Pass): bigint {
  const { account, market } = bankrupt;
  const side = -signOf(state.accounts[account]!.positions[market]!.lots);
  const holds = (id: number): boolean => holdsOn(state, id, market, side);
  let rest = pass.lots;
  const meet = (other: number): void => {
    if (!holds(other)) return;
    const lots = least(rest, sizeOf(state.accounts[other]!.positions[market]!.lots));
    if (!pass.may(other, lots)) return;
    pass.bear(closeBoth(state, memory, bankrupt, other, { lots, ticks: pass.ticks }));
    rest -= lots;
  };
  if (rest > 0n) meet(fundId);
  if (rest === 0n) return rest;
  for (const other of rankingOf(state, memory, market, side)) {
    if (rest === 0n) break;
    meet(other);
    if (!holds(other)) strikeOut(memory, market, side, other);
  }
  return rest;
}

/**
 * Closes `lots` of a position at a price, and at the mark what no counterparty can bear.
 */
export function deleverage(
  state: NaiveState,
  memory: Deleveraging,
  bankrupt: Bankrupt,
  lots: bigint,
  price: bigint,
): Closing[] {
  const { account, market } = bankrupt;
  const { mark, grain } = marketOf(state, market);
  const side = -signOf(state.accounts[account]!.positions[market]!.lots);
  const closings: Closing[] = [];
  let rest = lots;
  const pass = (ticks: bigint, may: Pass['may']): void => {
    const before = rest;
    const bear = (unpaid: bigint): void => shareDeficit(state, memory, bankrupt, unpaid);
    rest = passOver(state, memory, bankrupt, { lots: rest, ticks, may, bear });
    closings.push({ lots: before - rest, ticks });
  };
  pass(price, (id, part) => bears(state, id, market, side * (price - mark) * part * grain));
  if (rest > 0n) count(state, 'deleveragedAtMark');
  pass(mark, (id) => stands(state, id, market));
  while (rest > 0n) {
    const before = rest;
    pass(mark, () => true);
    if (rest === before) throw new Error('nobody is opposite though quantities cancel out');
  }
  return closings;
}

const stands = (state: NaiveState, id: number, market: number): boolean =>
  equityFor(state, state.accounts[id]!, market) >= 0n;

export type Closing = { readonly lots: bigint; readonly ticks: bigint };

type Winner = { id: number; weight: bigint; cap: bigint; taken: bigint };

/** Shares a deficit among the winners of the market; the rest is the shortfall. */
function shareDeficit(
  state: NaiveState,
  memory: Deleveraging,
  bankrupt: Bankrupt,
  deficit: bigint,
): void {
  if (deficit === 0n) return;
  const { market } = bankrupt;
  count(state, 'shared');
  const winners: Winner[] = [];
  for (const { id } of state.accounts) {
    if (id === bankrupt.account) continue;
    const account = state.accounts[id]!;
    const weight = unrealised(state, id, market) + (memory.profits.get(`${market} ${id}`) ?? 0n);
    const cap = least(weight, meansOf(state, memory, account, market));
    if (weight > 0n) winners.push({ id, weight, cap, taken: 0n });
  }
  let total = 0n;
  for (const { weight } of winners) total += weight;
  let left = deficit;
  for (const winner of winners) {
    winner.taken = least(winner.cap, floorDiv(deficit * winner.weight, total));
    left -= winner.taken;
  }
  winners.sort((a, b) => (a.weight === b.weight ? a.id - b.id : a.weight > b.weight ? -1 : 1));
  for (const winner of winners) {
    const more = least(left, winner.cap - winner.taken);
    winner.taken += more;
    left -= more;
  }
  winners.sort((a, b) => a.id - b.id);
  for (const { id, taken } of winners) left += takeShare(state, memory, { id, market, taken });
  intoShortfall(state, left);
}

/** The amount that a winner can give: its equity; isolated, that of the position and its income. */
function meansOf(
  state: NaiveState,
  memory: Deleveraging,
  account: NaiveAccount,
  market: number,
): bigint {
  const equity = most(0n, equityFor(state, account, market));
  if (!account.isolated) return equity;
  return equity + least(memory.profits.get(`${market} ${account.id}`) ?? 0n, account.available);
}

const unrealised = (state: NaiveState, id: number, market: number): bigint =>
  most(0n, profitOf(state, state.accounts[id]!.positions[market]!));

/**
 * Out of unrealised profit of the market, then as any debt (BAL-4); gives what could not be taken.
 */
function takeShare(
  state: NaiveState,
  memory: Deleveraging,
  { id, market, taken }: { id: number; market: number; taken: bigint },
): bigint {
  const account = state.accounts[id]!;
  const fromPosition = least(taken, unrealised(state, id, market));
  account.positions[market]!.entry += fromPosition;
  const amount = taken - fromPosition;
  const unpaid = takePayment(state, { account, market, amount });
  const key = `${market} ${id}`;
  memory.profits.set(key, (memory.profits.get(key) ?? 0n) - amount + unpaid);
  return unpaid;
}

/** LIQ-6: the fund's excess is closed at the mark against accounts with equity, by rank. */
export function reduceFund(
  state: NaiveState,
  memory: Deleveraging,
  market: number,
  lots: bigint,
): void {
  count(state, 'fundReduced');
  const side = -signOf(fundOf(state).positions[market]!.lots);
  const bankrupt = { account: fundId, market };
  const bear = (unpaid: bigint): void => {
    if (unpaid > 0n) count(state, 'fundReducedUnpaid');
    intoShortfall(state, unpaid);
  };
  const may = (id: number): boolean => stands(state, id, market);
  const pass = { lots, ticks: marketOf(state, market).mark, may, bear };
  const rest = passOver(state, memory, bankrupt, pass);
  if (rest === 0n) return;
  // Accounts that have opened a position since the ranking was made.
  count(state, 'fundReducedAgain');
  memory.rankings.delete(rankingKey(market, side));
  passOver(state, memory, bankrupt, { ...pass, lots: rest });
}
