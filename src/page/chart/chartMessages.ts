// Messages of the chart.

import { translated } from '../messages/language.ts';

export const chartMessages = translated('chart', {
  chart: 'Chart',
  interval: 'Interval',
  view: 'View',
  views: { candles: 'Candles', depth: 'Depth', funding: 'Funding' },
  source: 'Candles of',
  sources: { trade: 'Last', mark: 'Mark', index: 'Index' },
  loading: 'Reading candles…',
  empty: 'This market has no trades yet.',
  young: (time: string) => `This market opened on ${time}. Earlier candles do not exist.`,
  madeWith: 'Charts by',
  position: 'Position',
  liquidation: 'Liquidation',
  picture: (symbol: string, interval: string) => `Candles of ${symbol}, ${interval}`,
  /** Open, high, low and close of a candle. */
  candle: ([open, high, low, close]: readonly string[], change: string) =>
    `O ${open}  H ${high}  L ${low}  C ${close}  ${change}`,
  hint: 'Drag it, or move it by the arrow keys and press Enter.',
  handle: (title: string, at: string) => `${title} at ${at}`,
  remove: 'Remove from the chart',
  legOf: { takeProfit: 'TP: drag a take-profit', stopLoss: 'SL: drag a stop-loss' },
  short: {
    STOP: 'Stop',
    STOP_MARKET: 'Stop',
    TAKE_PROFIT: 'TP',
    TAKE_PROFIT_MARKET: 'TP',
    TRAILING_STOP_MARKET: 'Trail',
  },
});
