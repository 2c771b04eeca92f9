// German of bookMessages.

import type { bookMessages } from '../book/bookMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const bookGerman: TextsOf<typeof bookMessages> = {
  book: 'Orderbuch',
  trades: 'Trades',
  price: 'Preis',
  size: (unit) => `Menge (${unit})`,
  sum: (unit) => `Summe (${unit})`,
  time: 'Zeit',
  grouping: 'Gruppierung',
  unit: 'Einheit wechseln',
  asks: 'Asks',
  bids: 'Bids',
  mark: 'Mark',
  spread: 'Spread',
  notLive: 'Nicht live',
  level: 'Preis in die Ordermaske',
};
