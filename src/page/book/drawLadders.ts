// Draws both sides of a book when it has changed: with the other parts that messages change, and at
// once for the own orders in it.

import { bestAsk, bestBid } from '../../client/book.ts';
import { type BookRow, type BookRows, bookRows } from '../state/bookRows.ts';
import { gridText } from '../state/grid.ts';
import type { MarketFeed } from '../state/marketFeed.ts';
import type { Page } from '../state/page.ts';
import { bookMessages } from './bookMessages.ts';
import { ladderCells, ownPrices } from './ladderCells.ts';
import { createLadder, type LadderView, ladderRowHeight } from './ladderView.ts';

export type Drawing = {
  readonly page: Page;
  readonly feed: MarketFeed;
  /** Ticks that a row covers. */
  readonly step: number;
  /** A row was chosen: its price is now in the ticket. */
  readonly onPick: () => void;
  /** Around both sides and what stands between them. */
  readonly box: HTMLElement;
  readonly places: { readonly asks: HTMLElement; readonly bids: HTMLElement };
};

type Sides = { readonly asks: LadderView; readonly bids: LadderView };

/** The height of what stands between the sides. */
const middleHeight = 30;

/** Returns the way to stop. */
export function drawLadders(drawing: Drawing): () => void {
  const { page, feed, step, box, places } = drawing;
  const { market, book } = feed;
  let shown: BookRows = bookRows(book, step, 0);
  let count = 0;
  let frame = 0;
  const { asks, bids } = createSides(drawing, () => shown);
  places.asks.replaceChildren(asks.element);
  places.bids.replaceChildren(bids.element);
  const spread = box.querySelector('.book-spread');
  const cellsOf = ladderCells(page, market, step);
  const draw = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    shown = bookRows(book, step, count);
    const { sumMax } = shown;
    const flash = { flash: page.preferences.flash.value };
    const own = ownPrices(page, market, step);
    asks.show(
      shown.asks.map((row) => cellsOf(row, sumMax, own.asks)),
      flash,
    );
    bids.show(
      shown.bids.map((row) => cellsOf(row, sumMax, own.bids)),
      flash,
    );
    const [bid, ask] = [bestBid(book), bestAsk(book)];
    const known = bid !== undefined && ask !== undefined;
    const gap = known ? gridText(BigInt(ask - bid), market.tick) : '';
    if (spread !== null && spread.textContent !== gap) spread.textContent = gap;
  };
  const later = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const sizes = new ResizeObserver(() => {
    const room = (box.clientHeight - middleHeight) / 2;
    count = Math.max(1, Math.floor(room / ladderRowHeight));
    asks.setCount(count);
    bids.setCount(count);
    later();
  });
  sizes.observe(box);
  const stopBook = feed.onBook(draw);
  const stopOrders = page.account.orders.subscribe(later);
  return () => {
    sizes.disconnect();
    stopBook();
    stopOrders();
    cancelAnimationFrame(frame);
  };
}

/** A click on a price takes the price, one on a sum takes the size up to there too. */
function createSides({ page, feed, onPick }: Drawing, shown: () => BookRows): Sides {
  const { market } = feed;
  const text = bookMessages();
  const pick = (row: BookRow | undefined, withSum: boolean): void => {
    if (row === undefined) return;
    page.pickedPrice.value = gridText(BigInt(row.ticks), market.tick);
    if (withSum) page.pickedSize.value = gridText(BigInt(row.sum), market.lot);
    onPick();
  };
  const sideOf = (side: 'asks' | 'bids'): LadderView =>
    createLadder({
      side,
      label: text[side],
      onPrice: (at) => pick(shown()[side][at], false),
      onSum: (at) => pick(shown()[side][at], true),
    });
  return { asks: sideOf('asks'), bids: sideOf('bids') };
}
