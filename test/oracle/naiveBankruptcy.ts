// LIQ-1, LIQ-2 as equations: how much is closed, at which prices, what the fund may take over.

import { ceilDiv, floorDiv, least, most, rateOne, signOf, sizeOf } from './exact.ts';
import { weightOf } from './naiveBrackets.ts';
import {
  equityFor,
  equityOf,
  fundOf,
  isLive,
  maintenanceFor,
  maintenanceOf,
  marketOf,
  notionalOf,
  profitOf,
} from './naiveFigures.ts';
import { owedBy } from './naiveFunding.ts';
import type { NaiveAccount, NaivePosition, NaiveState } from './naiveState.ts';

/** Positions that a bankruptcy price spreads a deficit over: the isolated one, or all. */
function together(account: NaiveAccount, market: number): NaivePosition[] {
  return account.isolated ? [account.positions[market]!] : account.positions;
}

/**
 * LIQ-2. E > 0: mark ∓ floor(E × maintenance / (M × size × grain)).
 * E ≤ 0: the deficit D = min(−E, S) is borne by the losing live positions, pro rata to their loss;
 * mark ± ceil(D × loss / (S × size × grain)), which lies between mark and entry.
 */
export function bankruptcyPrice(state: NaiveState, account: NaiveAccount, market: number): bigint {
  const { mark, grain } = marketOf(state, market);
  const position = account.positions[market]!;
  const direction = signOf(position.lots);
  const size = sizeOf(position.lots);
  const equity = equityFor(state, account, market);
  if (equity > 0n) {
    const sum = maintenanceFor(state, account, market);
    // FUND-1d: what is owed of funding is not spent.
    const spent = toSpend(state, account, market, equity, account.available);
    const away = floorDiv(spent * maintenanceOf(state, position), sum * size * grain);
    return most(1n, mark - direction * away);
  }
  const loss = (other: NaivePosition): bigint => {
    if (other.lots === 0n || !isLive(state, marketOf(state, other.market))) return 0n;
    return most(0n, -profitOf(state, other));
  };
  let losses = 0n;
  for (const other of together(account, market)) losses += loss(other);
  const own = loss(position);
  if (own === 0n) return mark;
  const deficit = most(0n, least(-equity, losses));
  return most(1n, mark + direction * ceilDiv(deficit * own, losses * size * grain));
}

/**
 * FUND-1d: equity above 0 without what is owed of funding; isolated, what available does not pay.
 */
export function toSpend(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  equity: bigint,
  available: bigint,
): bigint {
  if (equity <= 0n) return equity;
  const owed = owedBy(state, account, market);
  return most(0n, equity - (account.isolated ? most(0n, owed - available) : owed));
}

/** The IOC's limit: the bankruptcy price or the mark's band, the one nearer to the mark. */
export function bookLimit(state: NaiveState, account: NaiveAccount, market: number): bigint {
  const { mark, terms } = marketOf(state, market);
  const price = bankruptcyPrice(state, account, market);
  if (account.positions[market]!.lots > 0n) {
    return most(price, ceilDiv(mark * (rateOne - terms.band), rateOne));
  }
  return least(price, floorDiv(mark * (rateOne + terms.band), rateOne));
}

const smallNotional = 100_000_000_000n;

/**
 * Lots to close: all when deep or small; else what restores 1.2 × maintenance, at least a fifth.
 */
export function lotsToClose(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  deep: boolean,
): bigint {
  const position = account.positions[market]!;
  const size = sizeOf(position.lots);
  if (deep || notionalOf(state, position) <= smallNotional) return size;
  const { mark, grain, terms } = marketOf(state, market);
  const equity = equityFor(state, account, market);
  const missing = 12n * maintenanceFor(state, account, market) - 10n * equity;
  const weight = weightOf(marketOf(state, market), position.lots, position.extra);
  const relief = mark * grain * (12n * weight - 10n * terms.liquidationFee * size);
  const lots = most(ceilDiv(missing * rateOne * size, relief), ceilDiv(size, 5n));
  return least(size, lots);
}

export type OutsideTerms = {
  readonly price: bigint;
  readonly lots: bigint;
  readonly part: boolean;
};

/**
 * LIQ-3: outside of the book an account with equity closes at its bankruptcy price or, if that is
 * better for it, two thirds of the market's maintenance rate from the mark; then only what brings
 * it back to maintenance.
 */
export function outsideTerms(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  rest: bigint,
): OutsideTerms {
  const { mark, grain, terms } = marketOf(state, market);
  const position = account.positions[market]!;
  const bankruptcy = bankruptcyPrice(state, account, market);
  const all = { price: bankruptcy, lots: rest, part: false };
  const equity = equityFor(state, account, market);
  if (equity <= 0n) return all;
  const isLong = position.lots > 0n;
  const cost = ceilDiv(2n * terms.maintenance, 3n);
  const fair = isLong
    ? ceilDiv(mark * (rateOne - cost), rateOne)
    : floorDiv(mark * (rateOne + cost), rateOne);
  if (isLong ? bankruptcy >= fair : bankruptcy <= fair) return all;
  const size = sizeOf(position.lots);
  const weight = weightOf(marketOf(state, market), position.lots, position.extra);
  // What each lot that closes brings the account nearer to its maintenance, in 1e-8 of the
  // notional.
  const relief = mark * grain * (weight - cost * size);
  const missing = maintenanceFor(state, account, market) - equity;
  const lots = ceilDiv(missing * rateOne * size, relief);
  return lots < rest ? { price: fair, lots, part: true } : { price: fair, lots: rest, part: false };
}

/** The fund's highest equity of the last eight hours, in 48 stretches of ten minutes. */
function peakOf(state: NaiveState, equity: bigint): bigint {
  const now = Math.floor(state.time / 600_000);
  const seen = state.peaks.filter(({ slot }) => slot > now - 48).map((peak) => peak.equity);
  return seen.length === 0 ? equity : seen.reduce(most);
}

/** LIQ-3: the largest quantity that the fund may take over at a price, at most `rest`. */
export function takeoverLots(
  state: NaiveState,
  market: number,
  { direction, rest, price }: { direction: bigint; rest: bigint; price: bigint },
): bigint {
  const fund = fundOf(state);
  const equity = equityOf(state, fund);
  if (1000n * equity < 925n * peakOf(state, equity)) return 0n;
  const { mark, grain } = marketOf(state, market);
  const held = fund.positions[market]!.lots;
  const adverse = most(0n, direction * (price - mark)) * grain;
  const allowed = (lots: bigint): boolean => {
    const means = least(fund.available, equity) - lots * adverse;
    const own = sizeOf(held + direction * lots) * mark * grain;
    let net = own;
    for (const position of fund.positions) {
      if (position.market !== market) net += notionalOf(state, position);
    }
    return net <= means && 4n * own <= means;
  };
  const netting = held * direction < 0n ? least(rest, sizeOf(held)) : 0n;
  if (!allowed(netting)) return 0n;
  // Beyond the netting each lot more is a lot worse, so halving finds the last that is allowed.
  let low = netting;
  let high = rest;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (allowed(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}
