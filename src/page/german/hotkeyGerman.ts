// German of hotkeyMessages.

import type { hotkeyMessages } from '../hotkeys/hotkeyMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const hotkeyGerman: TextsOf<typeof hotkeyMessages> = {
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
};
