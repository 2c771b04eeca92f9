// Messages about hotkeys.

import { translated } from '../messages/language.ts';

export const hotkeyMessages = translated({
  en: {
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
  },
  de: {
    title: 'Tastenkürzel',
    on: 'Sie sind eingeschaltet. Orders werden ohne Rückfrage gesendet.',
    off: 'Sie sind ausgeschaltet. Schalten Sie sie in den Einstellungen ein.',
    always: 'Immer: Tab und Pfeiltasten erreichen alles, Strg+K öffnet die Märkte.',
    inFields: 'In den Feldern der Ordermaske wirken auch die Buchstaben.',
    names: {
      buy: 'Order als Kauf senden',
      sell: 'Order als Verkauf senden',
      cancelAll: 'Alle Orders und Auslöser dieses Marktes stornieren',
      limit: 'Limitorder',
      market: 'Marktorder',
      price: 'Zum Preis',
      size: 'Zur Menge',
      quarter: 'Menge: 25%',
      half: 'Menge: 50%',
      threeQuarters: 'Menge: 75%',
      all: 'Menge: 100%',
      reduceOnly: 'Nur Abbau, an und aus',
      list: 'Diese Liste',
    },
  },
});
