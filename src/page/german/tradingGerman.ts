// German of tradingMessages.

import type { TextsOf } from '../messages/language.ts';
import type { tradingMessages } from '../messages/tradingMessages.ts';

export const tradingGerman: TextsOf<typeof tradingMessages> = {
  sides: { BUY: 'Kauf', SELL: 'Verkauf' },
  placed: 'Order platziert',
  filled: 'Order ausgeführt',
  endedUnfilled: 'Order beendet',
  filledPart: (filled, whole) => `${filled} von ${whole} ausgeführt`,
  orderRefused: 'Order abgelehnt',
  cancelled: 'Order storniert',
  cancelRefused: 'Die Order wurde nicht storniert',
  allMarkets: 'Alle Märkte',
  allCancelled: 'Orders storniert',
  cancelledCount: (count, where) => `${where}: ${count}`,
  allNotCancelled: 'Nicht alles wurde storniert',
  amended: 'Order geändert',
  amendRefused: 'Die Order wurde nicht geändert',
  protected: 'Take-Profit und Stop-Loss geändert',
  collateralMoved: 'Sicherheit verschoben',
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
  loss: (amount) => `Verlust ${amount} USDT`,
  gain: (amount) => `Gewinn ${amount} USDT`,
};
