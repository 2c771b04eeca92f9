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
    leverageRefused: 'The leverage was not changed',
    liquidated: 'Liquidation',
    liquidationStarted: 'Your account is being liquidated',
    liquidationEnded: 'Your account is no longer being liquidated',
    deleveraged: 'Position deleveraged',
    fill: 'Fill',
    loss: (amount: string) => `loss ${amount} USDT`,
    gain: (amount: string) => `gain ${amount} USDT`,
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
    leverageRefused: 'Der Hebel wurde nicht geändert',
    liquidated: 'Liquidation',
    liquidationStarted: 'Ihr Konto wird liquidiert',
    liquidationEnded: 'Ihr Konto wird nicht mehr liquidiert',
    deleveraged: 'Position verkleinert (ADL)',
    fill: 'Ausführung',
    loss: (amount) => `Verlust ${amount} USDT`,
    gain: (amount) => `Gewinn ${amount} USDT`,
  },
});
