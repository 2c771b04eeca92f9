// Messages of the bar of the market.

import { translated } from '../messages/language.ts';

export const marketMessages = translated({
  en: {
    market: 'Market',
    choose: 'Choose a market',
    search: 'Search markets',
    noMatch: 'No market has this name.',
    mark: 'Mark',
    index: 'Index',
    change: '24h change',
    high: '24h high',
    low: '24h low',
    volume: '24h volume',
    openInterest: 'Open interest',
    funding: 'Funding / countdown',
    last: 'Last',
    leverageMax: (leverage: number) => `${leverage}x`,
    loading: 'Reading the markets…',
    states: { TRADING: 'Trading', HALT: 'Halted', CLOSE: 'Reduce only' },
    restrictions: {
      none: '',
      breaker: 'Breaker: only resting and reducing orders',
      stale: 'Prices are stale: only reducing orders',
      halted: 'Halted: no orders',
    },
  },
  de: {
    market: 'Markt',
    choose: 'Markt wählen',
    search: 'Märkte suchen',
    noMatch: 'Kein Markt hat diesen Namen.',
    mark: 'Mark',
    index: 'Index',
    change: '24h-Änderung',
    high: '24h-Hoch',
    low: '24h-Tief',
    volume: '24h-Volumen',
    openInterest: 'Open Interest',
    funding: 'Funding / Countdown',
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
  },
});
