// Messages of the dialogs of a position, loaded with them.

import { translated } from '../messages/language.ts';

export const positionActMessages = translated('positionAct', {
  confirm: 'Confirm',
  keep: 'Back',
  closeTitle: (symbol: string) => `Close ${symbol} at a price`,
  price: 'Price',
  size: 'Size',
  tooLarge: (most: string) => `At most ${most}.`,
  missing: 'Enter a number.',
  reverseTitle: (symbol: string) => `Reverse ${symbol}`,
  reverseText: (size: string) =>
    `A market order closes the position of ${size}. A second one opens as much on the other side.`,
  reverseLimits: 'If a stop closes the position first, nothing is opened.',
  reverseTooLarge: (filled: string, whole: string) =>
    `Only ${filled} of ${whole} would fill now. Nothing was sent.`,
  closedInPart: (closed: string, size: string) =>
    `Only ${closed} of ${size} were closed. Nothing was opened on the other side.`,
  notOpened: 'Position closed, but not reversed',
  protectTitle: (symbol: string) => `Take-profit and stop-loss of ${symbol}`,
  protectText: 'Each closes the whole position when the mark reaches it. One ends with the other.',
  takeProfit: 'Take profit at',
  takeProfitPrice: 'TP limit',
  stopLoss: 'Stop loss at',
  stopLossPrice: 'SL limit',
  atMarket: 'Market',
  expected: (amount: string) => `${amount} USDT before fees`,
  remove: 'Remove',
  nothingChanged: 'Nothing has changed.',
  triggerMissing: 'Enter the price at which it fires.',
  mark: 'Mark',
  liquidation: 'Liquidation',
  entry: 'Entry',
  beyond: (price: string) =>
    `Liquidation comes first, at ${price}: this stop would not protect the position.`,
  collateralTitle: (symbol: string) => `Collateral of ${symbol}`,
  collateralNow: 'Collateral',
  available: 'Available',
  amount: 'Amount',
  add: 'Add',
  take: 'Take out',
});
