// Messages about orders and positions.

import { translated } from './language.ts';

export const tradingMessages = translated('trading', {
  sides: { BUY: 'Buy', SELL: 'Sell' },
  placed: 'Order placed',
  filled: 'Order filled',
  endedUnfilled: 'Order ended',
  filledPart: (filled: string, whole: string) => `${filled} of ${whole} filled`,
  orderRefused: 'Order refused',
  cancelled: 'Order cancelled',
  cancelRefused: 'The order was not cancelled',
  allMarkets: 'All markets',
  allCancelled: 'Orders cancelled',
  cancelledCount: (count: number, where: string) => `${where}: ${count}`,
  allNotCancelled: 'Not everything was cancelled',
  amended: 'Order changed',
  amendRefused: 'The order was not changed',
  protected: 'Take-profit and stop-loss changed',
  collateralMoved: 'Collateral moved',
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
  loss: (amount: string) => `loss ${amount} USDT`,
  gain: (amount: string) => `gain ${amount} USDT`,
});
