// Keeps a book by the convention's algorithm (13.4): it receives diffs first, then fetches a
// snapshot and drops older diffs; from there each diff must continue the previous one.

import { depthOfMarket } from '../../../src/engine/views/depthOfMarket.ts';
import { formatSteps } from '../../../src/units/decimal.ts';
import type { LifeMarket, LifeView, Violation } from '../ports.ts';
import type { Body, Caller } from './createCaller.ts';
import { createStreamLine } from './createStreamLine.ts';
import { type Feed, type FeedMeans, hasReadAll } from './feed.ts';

type Side = Map<string, string>;

type Book = {
  readonly bids: Side;
  readonly asks: Side;
  /** Received before the snapshot. */
  early: Body[];
  /** `u` of the last diff; undefined before the first one after the snapshot. */
  last: number | undefined;
  /** The number of the snapshot; undefined before it. */
  snapshot: number | undefined;
  /** Counts beginnings, so that a late snapshot of an old one has no effect. */
  begun: number;
};

const levelsMax = 1000;

export function createDiffBook(means: FeedMeans, caller: Caller, market: LifeMarket): Feed {
  const { world, diary } = means;
  const { symbol } = market;
  const book: Book = {
    bids: new Map(),
    asks: new Map(),
    early: [],
    last: undefined,
    snapshot: undefined,
    begun: 0,
  };
  const line = createStreamLine(world, {
    ...means,
    path: () => `/ws/${symbol.toLowerCase()}@depth@100ms`,
    dialect: 'fapi',
    onHeard: () => begin(book, caller, symbol),
    onMessage: (message) => {
      if (message.e !== 'depthUpdate') return;
      world.count('stream diff');
      const wrong = hear(book, message);
      if (wrong === undefined) return;
      diary.wrong.push(`diff book of ${symbol}: ${wrong}`);
      line.close();
    },
  });
  return {
    open: line.open,
    calm: line.calm,
    check: (view, judge) => {
      if (!hasReadAll(world, line, judge) || book.snapshot === undefined) return [];
      world.count('diff books compared');
      return compare(book, view, symbol);
    },
  };
}

function begin(book: Book, caller: Caller, symbol: string): void {
  book.begun += 1;
  const { begun } = book;
  Object.assign(book, { early: [], last: undefined, snapshot: undefined });
  caller.ask(
    {
      name: 'depth',
      method: 'GET',
      path: '/fapi/v1/depth',
      parameters: { symbol, limit: levelsMax },
      credential: 'public',
    },
    (received) => {
      if (begun !== book.begun) return;
      if (received?.ok !== true) return begin(book, caller, symbol);
      if (!isCovered(book.early, received.body.lastUpdateId)) return begin(book, caller, symbol);
      fill(book, received.body);
    },
  );
}

/** A snapshot older than the first received diff is too old: it is fetched again. */
function isCovered([first]: readonly Body[], lastUpdateId: number): boolean {
  return first === undefined || first.pu <= lastUpdateId;
}

function fill(book: Book, { lastUpdateId, bids, asks }: Body): void {
  for (const [side, levels] of [
    [book.bids, bids],
    [book.asks, asks],
  ] as const) {
    side.clear();
    for (const [price, quantity] of levels) side.set(price, quantity);
  }
  book.snapshot = lastUpdateId;
  const { early } = book;
  book.early = [];
  for (const diff of early) if (diff.u >= lastUpdateId) apply(book, diff);
}

function hear(book: Book, diff: Body): string | undefined {
  const { snapshot, last, early } = book;
  if (snapshot === undefined) {
    const before = early.at(-1);
    early.push(diff);
    return before === undefined || before.u === diff.pu ? undefined : received(diff, before.u);
  }
  if (last !== undefined && diff.pu !== last) return received(diff, last);
  if (last === undefined && diff.pu > snapshot) return received(diff, snapshot);
  if (last !== undefined || diff.u >= snapshot) apply(book, diff);
  return undefined;
}

const received = ({ U, u, pu }: Body, before: number): string =>
  `${U}–${u} after ${pu} follows ${before}`;

function apply(book: Book, { u, b, a }: Body): void {
  book.last = u;
  for (const [side, changes] of [
    [book.bids, b],
    [book.asks, a],
  ] as const) {
    for (const [price, quantity] of changes) {
      if (Number(quantity) === 0) side.delete(price);
      else side.set(price, quantity);
    }
  }
}

function compare(book: Book, { exchange }: LifeView, symbol: string): Violation[] {
  const market = exchange.markets.find((each) => each.symbol === symbol);
  if (market === undefined) return [];
  const depth = depthOfMarket(market, levelsMax);
  return (['bids', 'asks'] as const).flatMap((side) => {
    const due = depth[side].map(([ticks, lots]) => [
      formatSteps(ticks, market.tick),
      formatSteps(lots, market.lot),
    ]);
    const sign = side === 'bids' ? -1 : 1;
    const kept = [...book[side]].sort(([one], [other]) => sign * (Number(one) - Number(other)));
    const same = JSON.stringify(kept.slice(0, levelsMax)) === JSON.stringify(due);
    const [has, is] = [JSON.stringify(kept), JSON.stringify(due)];
    return same ? [] : [`diff book of ${symbol} has ${side} ${has}, there are ${is}`];
  });
}
