// What one row of the book shows: texts of price, size and sum, and how long its bar is.

import type { BookRow } from '../state/bookRows.ts';
import { gridText, plainText, rescaled, stepsOf } from '../state/grid.ts';
import { cut, grouping } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import type { LadderCells } from './ladderView.ts';

/** Money in the book has whole USDT: a row has room for a few digits. */
const moneyDecimals = 6;

/** Makes the cells of rows that cover `step` ticks each. */
export function ladderCells({ preferences }: Page, market: Market, step: number) {
  const inQuote = preferences.sizeUnit.peek() === 'quote';
  const shownAs = (lots: number, ticks: number): string =>
    inQuote
      ? grouping(
          plainText(rescaled(BigInt(lots) * BigInt(ticks) * market.grain, moneyDecimals, 0), 0),
        )
      : grouping(gridText(BigInt(lots), market.lot));
  const decimals = decimalsOf(market, step);
  return (row: BookRow, sumMax: number, own: ReadonlySet<number>): LadderCells => ({
    price: cut(gridText(BigInt(row.ticks), market.tick), decimals),
    size: shownAs(row.lots, row.ticks),
    sum: shownAs(row.sum, row.ticks),
    part: sumMax === 0 ? 0 : row.sum / sumMax,
    isOwn: own.has(row.ticks),
  });
}

/** A step of 10 ticks of 0.01 needs one decimal. */
function decimalsOf({ tick }: Market, step: number): number {
  const text = gridText(BigInt(step), tick).replace(/\.?0+$/, '');
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}

/** The rows in which the account's own orders rest. */
export function ownPrices({ account }: Page, market: Market, step: number) {
  const own = { bids: new Set<number>(), asks: new Set<number>() };
  for (const { symbol, side, price } of account.orders.value.values()) {
    if (symbol !== market.symbol) continue;
    const ticks = Number(stepsOf(price, market.tick));
    if (side === 'BUY') own.bids.add(Math.floor(ticks / step) * step);
    else own.asks.add(Math.ceil(ticks / step) * step);
  }
  return own;
}
