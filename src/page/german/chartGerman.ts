// German of chartMessages.

import type { chartMessages } from '../chart/chartMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const chartGerman: TextsOf<typeof chartMessages> = {
  chart: 'Chart',
  interval: 'Intervall',
  view: 'Ansicht',
  views: { candles: 'Kerzen', depth: 'Tiefe', funding: 'Funding' },
  source: 'Kerzen von',
  sources: { trade: 'Letzter', mark: 'Mark', index: 'Index' },
  loading: 'Kerzen werden gelesen…',
  empty: 'Dieser Markt hat noch keine Trades.',
  young: (time) => `Dieser Markt wurde am ${time} eröffnet. Frühere Kerzen gibt es nicht.`,
  madeWith: 'Charts von',
  position: 'Position',
  liquidation: 'Liquidation',
  picture: (symbol, interval) => `Kerzen von ${symbol}, ${interval}`,
  candle: ([open, high, low, close], change) =>
    `E ${open}  H ${high}  T ${low}  S ${close}  ${change}`,
  hint: 'Ziehen, oder mit den Pfeiltasten verschieben und Enter drücken.',
  handle: (title, at) => `${title} bei ${at}`,
  remove: 'Vom Chart entfernen',
  legOf: { takeProfit: 'TP: Take-Profit ziehen', stopLoss: 'SL: Stop-Loss ziehen' },
  short: {
    STOP: 'Stop',
    STOP_MARKET: 'Stop',
    TAKE_PROFIT: 'TP',
    TAKE_PROFIT_MARKET: 'TP',
    TRAILING_STOP_MARKET: 'Trail',
  },
};
