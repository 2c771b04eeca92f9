// Messages about hotkeys.

import { translated } from '../messages/language.ts';

export const hotkeyMessages = translated('hotkey', {
  title: 'Hotkeys',
  on: 'They are switched on. Orders are sent without a question.',
  off: 'They are switched off. Switch them on in the settings.',
  always: 'Always: Tab and arrow keys reach everything, Ctrl+K opens the markets.',
  inFields: 'In the fields of the ticket the letters work, too.',
  names: {
    buy: 'Send the ticket as a buy',
    sell: 'Send the ticket as a sell',
    cancelAll: 'Cancel all orders and triggers of this market',
    limit: 'Limit order',
    market: 'Market order',
    price: 'Go to the price',
    size: 'Go to the size',
    quarter: 'Size: 25%',
    half: 'Size: 50%',
    threeQuarters: 'Size: 75%',
    all: 'Size: 100%',
    reduceOnly: 'Reduce only, on and off',
    list: 'This list',
  },
});
