// Turns a position round: one market order closes it, a second one opens as much on the other
// side.
//
// One order of twice the size would do more than that when it comes too late: a stop that has
// closed the position a moment before leaves nothing to close, and the whole order opens. The
// first of the two only reduces, and the second has the size that the first has closed. So a
// position that has ended is not opened again, and one that has become smaller is turned round as
// it is.

import type { Position } from './account.ts';
import { closingAtMarket } from './closePosition.ts';
import { stepsOf } from './grid.ts';
import type { Market } from './market.ts';
import { type OrderWish, orderRequest } from './orderWish.ts';
import type { Page } from './page.ts';
import { type Placed, placeAtOnce } from './placeOrder.ts';

export type Reversal =
  /** Both orders were taken; the notices say what has filled. */
  | { readonly kind: 'placed' }
  /** The exchange would take both orders only in part; nothing was sent. */
  | { readonly kind: 'tooLarge'; readonly filled: string; readonly whole: string }
  /** The position could not be closed. */
  | { readonly kind: 'notClosed'; readonly error: unknown }
  /** The book closed a part of the position, or nothing of it; nothing was opened. */
  | { readonly kind: 'closedInPart'; readonly closed: Placed }
  /** The position is closed, and the other one was not opened. */
  | { readonly kind: 'notOpened'; readonly error: unknown };

type Reversing = Pick<Page, 'requests' | 'requestKeys' | 'notices' | 'account'>;

/** Says each order that the exchange took; the result says how far it came. */
export async function reversePosition(
  page: Reversing,
  position: Position,
  market: Market,
): Promise<Reversal> {
  const close = closingAtMarket(position, market);
  let closed: Placed;
  try {
    // A market that only lets positions end, or a missing margin, is known before anything is sent.
    const { executed_qty: filled, orig_qty: whole } = await page.requests.previewNativeOrder(
      orderRequest(opening(close, 2n * close.lots)),
    );
    if (filled !== whole) return { kind: 'tooLarge', filled, whole };
    closed = await placeAtOnce(page, close);
  } catch (error) {
    return { kind: 'notClosed', error };
  }
  // A reduce-only order is cut to the position, so one that is filled has closed all of it.
  if (closed.status !== 'FILLED') return { kind: 'closedInPart', closed };
  try {
    await placeAtOnce(page, opening(close, stepsOf(closed.executed_qty, market.lot)));
    return { kind: 'placed' };
  } catch (error) {
    return { kind: 'notOpened', error };
  }
}

/** An order of the same side that opens, too. */
const opening = ({ market, side }: OrderWish, lots: bigint): OrderWish => ({
  market,
  side,
  type: 'MARKET',
  lots,
});
