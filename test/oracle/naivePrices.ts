// PRC-1 … PRC-3: which prices count, the gate, the mark, the breaker.

import type { IndexPrice } from '../../src/engine/command.ts';
import { ceilDiv, floorDiv, halfEvenDiv, least, medianOf, most, rateOne, sizeOf } from './exact.ts';
import { bestPrice, marketOf } from './naiveFigures.ts';
import { movedPrice } from './naiveSettlement.ts';
import { count, type NaiveMarket, type NaiveState } from './naiveState.ts';

const ticksMax = 1_000_000_000;
const million = 1_000_000n;

/** Takes the prices of a tick; gives the markets whose index was accepted, by symbol. */
export function takePrices(state: NaiveState, prices: readonly IndexPrice[]): NaiveMarket[] {
  const touched = new Set<number>();
  for (const price of prices) {
    const market = state.markets[price.market];
    if (market === undefined || market.settled) continue;
    if (takePrice(state, market, price)) touched.add(market.id);
  }
  const markets = [...touched].map((id) => marketOf(state, id));
  markets.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return markets.filter((market) => gate(state, market));
}

function takePrice(state: NaiveState, market: NaiveMarket, price: IndexPrice): boolean {
  const { source, ticks, observedAt } = price;
  const known = market.terms.sources.some((configured) => configured.source === source);
  if (!known || ticks < 1 || ticks > ticksMax) return false;
  if (Math.abs(observedAt - state.time) > 5000) return false;
  const last = market.sources.find((other) => other.source === source);
  if (last !== undefined && observedAt <= last.observedAt) return false;
  const taken = { source, ticks: BigInt(ticks), observedAt, takenAt: state.time };
  market.sources = [...market.sources.filter((other) => other.source !== source), taken];
  return true;
}

const isFresh = (state: NaiveState, takenAt: number): boolean => state.time - takenAt <= 5000;

/** The weighted median of the fresh sources; exactly half way the mean with the next price. */
function medianIndex(state: NaiveState, market: NaiveMarket): bigint {
  const prices = market.sources
    .filter(({ takenAt }) => isFresh(state, takenAt))
    .map(({ source, ticks }) => {
      const { weight } = market.terms.sources.find((other) => other.source === source)!;
      return { ticks, weight };
    })
    .sort((a, b) => Number(a.ticks - b.ticks));
  const total = prices.reduce((sum, { weight }) => sum + weight, 0n);
  let sum = 0n;
  for (const [at, { ticks, weight }] of prices.entries()) {
    sum += weight;
    if (2n * sum > total) return ticks;
    if (2n * sum === total) return halfEvenDiv(ticks + prices[at + 1]!.ticks, 2n);
  }
  throw new Error('a market that took a price has one');
}

function freshManual(state: NaiveState, market: NaiveMarket): bigint | undefined {
  return market.sources.find(({ source, takenAt }) => {
    return source === 'manual' && isFresh(state, takenAt);
  })?.ticks;
}

/** PRC-2: whether the candidate is accepted; if so index and mark are new. */
function gate(state: NaiveState, market: NaiveMarket): boolean {
  const manual = freshManual(state, market);
  const candidate = manual ?? medianIndex(state, market);
  if (manual === undefined && !passes(state, market, candidate)) {
    count(state, 'indexRefused');
    return false;
  }
  market.pending = [];
  market.index = candidate;
  market.indexAt = state.time;
  market.accepted = [...market.accepted, { time: state.time, ticks: candidate }];
  moveMark(state, market);
  return true;
}

function passes(state: NaiveState, market: NaiveMarket, candidate: bigint): boolean {
  if (market.index === 0n) return true;
  if (state.time - market.indexAt > 120_000) return threeAgree(state, market, candidate);
  if (sizeOf(candidate - market.index) * 10n <= market.index) return true;
  if (market.terms.sources.length === 1) return threeAgree(state, market, candidate);
  const near = market.sources.filter(({ ticks, takenAt }) => {
    return isFresh(state, takenAt) && sizeOf(ticks - candidate) * 100n <= candidate;
  });
  if (near.length >= 2) return true;
  // PRC-2a: it waits too, but of the row only the last stays.
  market.pending = market.pending.slice(-1);
  waits(state, market, candidate);
  return false;
}

/** Three successive ticks, 1 s apart, each within 1 % of every other. */
function threeAgree(state: NaiveState, market: NaiveMarket, candidate: bigint): boolean {
  return waits(state, market, candidate) === 3;
}

/** Joins the pending prices that agree, or begins again; gives how many agree now. */
function waits(state: NaiveState, market: NaiveMarket, candidate: bigint): number {
  const { pending } = market;
  const agrees = pending.every(({ ticks }) => {
    return sizeOf(ticks - candidate) * 100n <= least(ticks, candidate);
  });
  const here = { ticks: candidate, at: state.time };
  const last = pending[pending.length - 1];
  if (!agrees || last === undefined) {
    market.pending = [here];
    return 1;
  }
  if (state.time - last.at < 1000) return pending.length;
  if (pending.length < 2) market.pending = [...pending, here];
  return pending.length + 1;
}

/** PRC-1: premium, mark, and the breaker after it. */
function moveMark(state: NaiveState, market: NaiveMarket): void {
  const { index, terms } = market;
  const bid = bestPrice(state, market.id, 1n);
  const ask = bestPrice(state, market.id, -1n);
  let wanted: bigint;
  if (bid === 0n || ask === 0n) {
    wanted = index * million + market.premium;
  } else {
    const dt = market.premiumAt === 0 ? 0n : BigInt(state.time - market.premiumAt);
    const x = ((bid + ask) * million) / 2n - index * million;
    market.premium += halfEvenDiv((x - market.premium) * dt, 150_000n + dt);
    const last =
      market.lastRegular === 0n ? ((bid + ask) * million) / 2n : market.lastRegular * million;
    const book = medianOf(bid * million, ask * million, last);
    wanted = medianOf(index * million, index * million + market.premium, book);
  }
  market.premiumAt = state.time;
  const low = ceilDiv(index * (rateOne - terms.clamp), rateOne);
  const high = floorDiv(index * (rateOne + terms.clamp), rateOne);
  const mark = least(high, most(low, halfEvenDiv(wanted, million)));
  watchMark(state, market, mark);
  market.mark = movedPrice(market, mark);
}

/** PRC-3: more than 10 % away from any mark of the last 60 s by PRC-1, kept by seconds. */
function watchMark(state: NaiveState, market: NaiveMarket, mark: bigint): void {
  const second = Math.floor(state.time / 1000);
  const window = market.marks.filter(({ time }) => second - Math.floor(time / 1000) <= 60);
  const here = { time: state.time, mark };
  const moved = window.some((old) => mark * 10n > 11n * old.mark || mark * 10n < 9n * old.mark);
  market.marks = moved ? [here] : [...window, here];
  if (!moved) return;
  market.breakerUntil = state.time + 30_000;
  count(state, 'breaker');
}
