// Messages of the chart.

import { translated } from '../messages/language.ts';

export const chartMessages = translated({
  en: {
    chart: 'Chart',
    interval: 'Interval',
    loading: 'Reading candles…',
    empty: 'This market has no trades yet.',
    madeWith: 'Charts by',
    position: 'Position',
    liquidation: 'Liquidation',
    picture: (symbol: string, interval: string) => `Candles of ${symbol}, ${interval}`,
  },
  de: {
    chart: 'Chart',
    interval: 'Intervall',
    loading: 'Kerzen werden gelesen…',
    empty: 'Dieser Markt hat noch keine Trades.',
    madeWith: 'Charts von',
    position: 'Position',
    liquidation: 'Liquidation',
    picture: (symbol, interval) => `Kerzen von ${symbol}, ${interval}`,
  },
});
