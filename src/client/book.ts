// A copy of one market's book, kept by the messages of its depth channel and proved by their
// checksums (WS-2). Prices and quantities are whole ticks and lots.

import { formatSteps, parseScaled } from '../units/decimal.ts';
import { crc32 } from './crc32.ts';
import type { Grid } from './grid.ts';
import type { MessageOf } from './streamClient.ts';

export type DepthMessage = MessageOf<`depth:${string}`>;

/** One side: prices in ascending order of ticks, and the lots of each. */
export type BookSide = { readonly ticks: number[]; readonly lots: Map<number, number> };

export type Book = {
  readonly grids: { readonly tick: Grid; readonly lot: Grid };
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** The exchange's time of the last message; 0 before the first. */
  time: number;
};

/** How many levels of each side a checksum covers. */
const checkedLevels = 25;

export function createBook(grids: Book['grids']): Book {
  const side = (): BookSide => ({ ticks: [], lots: new Map() });
  return { grids, bids: side(), asks: side(), time: 0 };
}

/** Returns whether the copy is now the exchange's book; if not, the channel must begin anew. */
export function takeDepth(book: Book, message: DepthMessage): boolean {
  const { bids, asks } = book;
  if (message.snapshot) {
    for (const side of [bids, asks]) {
      side.ticks.length = 0;
      side.lots.clear();
    }
  }
  book.time = message.time;
  takeLevels(book, bids, message.bids, message.snapshot);
  takeLevels(book, asks, message.asks, message.snapshot);
  return checksumOf(book) === message.checksum;
}

function takeLevels(
  { grids }: Book,
  side: BookSide,
  levels: DepthMessage['bids'],
  isNew: boolean,
): void {
  for (const [price, quantity] of levels) {
    const ticks = stepsOf(price, grids.tick);
    const lots = stepsOf(quantity, grids.lot);
    const known = side.lots.has(ticks);
    if (lots === 0) {
      if (known) side.ticks.splice(placeOf(side.ticks, ticks), 1);
      side.lots.delete(ticks);
    } else {
      side.lots.set(ticks, lots);
      if (isNew) side.ticks.push(ticks);
      else if (!known) side.ticks.splice(placeOf(side.ticks, ticks), 0, ticks);
    }
  }
  // A snapshot comes best first: bids in descending order.
  if (isNew) side.ticks.sort((a, b) => a - b);
}

/** Whole steps; what is no decimal is 0, and then no checksum holds. */
function stepsOf(text: string, { decimals, step }: Grid): number {
  const scaled = parseScaled(text, decimals, step);
  return 'value' in scaled ? scaled.value : 0;
}

/** Where `ticks` is in the ascending list, or belongs. */
function placeOf(list: readonly number[], ticks: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Unsigned CRC32 of `price:quantity` of bid 1, ask 1, bid 2, ask 2, …, joined by `:`. */
function checksumOf({ grids, bids, asks }: Book): number {
  const said: string[] = [];
  const say = (side: BookSide, ticks: number | undefined): void => {
    if (ticks === undefined) return;
    said.push(formatSteps(ticks, grids.tick), formatSteps(side.lots.get(ticks)!, grids.lot));
  };
  for (let level = 0; level < checkedLevels; level += 1) {
    say(bids, bids.ticks[bids.ticks.length - 1 - level]);
    say(asks, asks.ticks[level]);
  }
  return crc32(said.join(':'));
}

export type Levels = {
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
};

/** The best levels of each side as the wire writes them, best first. */
export function levelsOf({ grids, bids, asks }: Book, count: number): Levels {
  const shown = ({ lots }: BookSide, ticks: readonly number[]) =>
    ticks.map((each) => {
      const quantity = formatSteps(lots.get(each)!, grids.lot);
      return [formatSteps(each, grids.tick), quantity] as const;
    });
  const below = count === 0 ? [] : bids.ticks.slice(-count).reverse();
  return { bids: shown(bids, below), asks: shown(asks, asks.ticks.slice(0, count)) };
}

export const bestBid = ({ bids }: Book): number | undefined => bids.ticks.at(-1);
export const bestAsk = ({ asks }: Book): number | undefined => asks.ticks[0];
