// Messages of the bar of the market.

import { translated } from '../messages/language.ts';

export const marketMessages = translated('market', {
  market: 'Market',
  choose: 'Choose a market',
  search: 'Search markets',
  noMatch: 'No market has this name.',
  mark: 'Mark',
  index: 'Index',
  change: '24h change',
  high: '24h high',
  low: '24h low',
  volume: '24h volume (USDT)',
  openInterest: 'Open interest (USDT)',
  funding: 'Funding / countdown',
  fundingHint:
    'The rate that is paid when the countdown ends, as things stand. Above zero longs pay shorts.',
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
});
