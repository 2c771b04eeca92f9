// German of orderMessages.

import type { TextsOf } from '../messages/language.ts';
import type { orderMessages } from '../tables/orderMessages.ts';

export const orderGerman: TextsOf<typeof orderMessages> = {
  trigger: 'Auslöser',
  atMarket: 'Markt',
  amend: 'Ändern',
  newValue: 'Neuer Wert',
  send: 'Bestätigen',
  empty: 'Geben Sie eine Zahl ein.',
  wholePosition: 'Ganze Position',
  reduceOnly: 'Nur Abbau',
  withLegs: 'mit TP/SL',
  ofOrder: 'TP/SL einer Order',
  ofPosition: 'TP/SL der Position',
  pending: 'wartet auf die Order',
  tried: 'vergeblich versucht',
  until: (date) => `bis ${date}`,
  callback: (percent) => `Abstand ${percent}%`,
  cancelAll: 'Alle stornieren',
};
