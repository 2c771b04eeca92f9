// Messages of the book and of the trades.

import { translated } from '../messages/language.ts';

export const bookMessages = translated('book', {
  book: 'Order book',
  trades: 'Trades',
  price: 'Price',
  size: (unit: string) => `Size (${unit})`,
  sum: (unit: string) => `Sum (${unit})`,
  time: 'Time',
  grouping: 'Grouping',
  unit: 'Change unit',
  asks: 'Asks',
  bids: 'Bids',
  mark: 'Mark',
  spread: 'Spread',
  notLive: 'Not live',
  level: 'Price to the ticket',
});
