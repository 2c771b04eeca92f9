// Messages of the table of open orders and triggers.

import { translated } from '../messages/language.ts';

export const orderMessages = translated('order', {
  trigger: 'Trigger',
  atMarket: 'Market',
  amend: 'Change',
  newValue: 'New value',
  send: 'Confirm',
  empty: 'Enter a number.',
  wholePosition: 'Whole position',
  reduceOnly: 'Reduce only',
  withLegs: 'with TP/SL',
  ofOrder: 'TP/SL of an order',
  ofPosition: 'TP/SL of the position',
  pending: 'waits for its order',
  tried: 'tried in vain',
  until: (date: string) => `until ${date}`,
  callback: (percent: string) => `callback ${percent}%`,
  cancelAll: 'Cancel all',
});
