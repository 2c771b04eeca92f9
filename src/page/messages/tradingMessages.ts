// Messages about orders and positions.

import { translated } from './language.ts';

export const tradingMessages = translated({
  en: {
    sides: { BUY: 'Buy', SELL: 'Sell' },
    placed: 'Order placed',
    filled: 'Order filled',
    endedUnfilled: 'Order ended',
    filledPart: (filled: string, whole: string) => `${filled} of ${whole} filled`,
    orderRefused: 'Order refused',
    cancelled: 'Order cancelled',
    cancelRefused: 'The order was not cancelled',
    modeRefused: 'The margin mode was not changed',
    triggerPlaced: (type: string) => `${type} waits`,
    triggerTypes: {
      STOP: 'Stop limit',
      STOP_MARKET: 'Stop market',
      TAKE_PROFIT: 'Take-profit limit',
      TAKE_PROFIT_MARKET: 'Take-profit market',
      TRAILING_STOP_MARKET: 'Trailing stop',
    },
    liquidated: 'Liquidation',
    liquidationStarted: 'Your account is being liquidated',
    liquidationEnded: 'Your account is no longer being liquidated',
    deleveraged: 'Position deleveraged',
    fill: 'Fill',
  },
  de: {
    sides: { BUY: 'Kauf', SELL: 'Verkauf' },
    placed: 'Order platziert',
    filled: 'Order ausgeführt',
    endedUnfilled: 'Order beendet',
    filledPart: (filled, whole) => `${filled} von ${whole} ausgeführt`,
    orderRefused: 'Order abgelehnt',
    cancelled: 'Order storniert',
    cancelRefused: 'Die Order wurde nicht storniert',
    modeRefused: 'Der Margin-Modus wurde nicht geändert',
    triggerPlaced: (type) => `${type} wartet`,
    triggerTypes: {
      STOP: 'Stop-Limit',
      STOP_MARKET: 'Stop-Markt',
      TAKE_PROFIT: 'Take-Profit-Limit',
      TAKE_PROFIT_MARKET: 'Take-Profit-Markt',
      TRAILING_STOP_MARKET: 'Trailing-Stop',
    },
    liquidated: 'Liquidation',
    liquidationStarted: 'Ihr Konto wird liquidiert',
    liquidationEnded: 'Ihr Konto wird nicht mehr liquidiert',
    deleveraged: 'Position verkleinert (ADL)',
    fill: 'Ausführung',
  },
});
