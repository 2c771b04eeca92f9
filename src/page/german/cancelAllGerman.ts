// German of cancelAllMessages.

import type { TextsOf } from '../messages/language.ts';
import type { cancelAllMessages } from '../tables/cancelAllMessages.ts';

export const cancelAllGerman: TextsOf<typeof cancelAllMessages> = {
  cancelAllTitle: (where) => `Alle stornieren: ${where}`,
  allOrders: (count) => `Orders (${count})`,
  allTriggers: (count) => `Auslöser, auch Take-Profits und Stop-Losses (${count})`,
  allTriggersText: 'Positionen verlieren ihre Take-Profits und Stop-Losses.',
  programTriggers:
    'Auslöser, die ein Programm als Orders platziert hat, enden auch, ebenso TP/SL der Orders.',
  chooseOne: 'Wählen Sie Orders, Auslöser oder beides.',
};
