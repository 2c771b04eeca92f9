// The naive twin of the book, its permanent oracle: one array of orders per side, searched
// from the front. It shares only the words of its rules with the engine (ORD-1, ORD-4).

export type NaiveOrder = {
  readonly id: number;
  readonly account: number;
  readonly side: 1 | -1;
  readonly ticks: number;
  open: number;
  readonly selfTradeMode: string;
};

export type NaiveBook = { bids: NaiveOrder[]; asks: NaiveOrder[] };

/** What one operation did, as numbers: a trade is [maker, ticks, lots]; an end is [id, 0, 0]. */
export type NaiveDeeds = number[];

export function createNaiveBook(): NaiveBook {
  return { bids: [], asks: [] };
}

/** Matches an order to its price; a remainder rests when `rests`, else it ends. */
export function naivePlace(book: NaiveBook, taker: NaiveOrder, rests: boolean): NaiveDeeds {
  const deeds: NaiveDeeds = [];
  const makers = taker.side === 1 ? book.asks : book.bids;
  while (taker.open > 0 && makers.length > 0) {
    const maker = makers[0]!;
    if (taker.side === 1 ? maker.ticks > taker.ticks : maker.ticks < taker.ticks) break;
    if (maker.account === taker.account && taker.selfTradeMode !== 'NONE') {
      if (taker.selfTradeMode !== 'EXPIRE_TAKER') {
        makers.shift();
        deeds.push(maker.id, 0, 0);
      }
      if (taker.selfTradeMode !== 'EXPIRE_MAKER') {
        taker.open = 0;
        deeds.push(taker.id, 0, 0);
      }
      continue;
    }
    const lots = Math.min(taker.open, maker.open);
    taker.open -= lots;
    maker.open -= lots;
    deeds.push(maker.id, maker.ticks, lots);
    if (maker.open === 0) makers.shift();
  }
  if (taker.open > 0 && rests) naiveRest(book, taker);
  return deeds;
}

/** Behind every order at least as good, before the first that is worse. */
function naiveRest(book: NaiveBook, order: NaiveOrder): void {
  const own = order.side === 1 ? book.bids : book.asks;
  let at = 0;
  while (at < own.length) {
    const other = own[at]!.ticks;
    if (order.side === 1 ? other < order.ticks : other > order.ticks) break;
    at += 1;
  }
  own.splice(at, 0, order);
}

/** Takes `lots` off a resting order in place; it ends when none are left. */
export function naiveCut(book: NaiveBook, side: 1 | -1, id: number, lots: number): void {
  const own = side === 1 ? book.bids : book.asks;
  let at = 0;
  while (own[at]!.id !== id) at += 1;
  own[at]!.open -= lots;
  if (own[at]!.open === 0) own.splice(at, 1);
}

/** Prices and sums of one side, best first. */
export function naiveDepth(orders: readonly NaiveOrder[]): [number, number][] {
  const depth: [number, number][] = [];
  for (const order of orders) {
    const last = depth[depth.length - 1];
    if (last !== undefined && last[0] === order.ticks) last[1] += order.open;
    else depth.push([order.ticks, order.open]);
  }
  return depth;
}
