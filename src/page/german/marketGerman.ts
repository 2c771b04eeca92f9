// German of marketMessages.

import type { marketMessages } from '../market/marketMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const marketGerman: TextsOf<typeof marketMessages> = {
  market: 'Markt',
  choose: 'Markt wählen',
  search: 'Märkte suchen',
  noMatch: 'Kein Markt hat diesen Namen.',
  mark: 'Mark',
  index: 'Index',
  change: '24h-Änderung',
  high: '24h-Hoch',
  low: '24h-Tief',
  volume: '24h-Volumen (USDT)',
  openInterest: 'Open Interest (USDT)',
  funding: 'Funding / Countdown',
  fundingHint:
    'Der Satz, der am Ende des Countdowns fällig ist, Stand jetzt. Über null zahlen Longs.',
  last: 'Letzter',
  leverageMax: (leverage) => `${leverage}x`,
  loading: 'Märkte werden gelesen…',
  states: { TRADING: 'Handel', HALT: 'Angehalten', CLOSE: 'Nur Abbau' },
  restrictions: {
    none: '',
    breaker: 'Unterbrecher: nur ruhende und abbauende Orders',
    stale: 'Preise veraltet: nur abbauende Orders',
    halted: 'Angehalten: keine Orders',
  },
};
