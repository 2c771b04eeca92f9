// Messages of the question before all is cancelled, loaded with it.

import { translated } from '../messages/language.ts';

export const cancelAllMessages = translated('cancelAll', {
  cancelAllTitle: (where: string) => `Cancel all: ${where}`,
  allOrders: (count: number) => `Orders (${count})`,
  allTriggers: (count: number) => `Triggers, take-profits and stop-losses (${count})`,
  allTriggersText: 'Positions lose their take-profits and stop-losses.',
  programTriggers:
    'Triggers that a program placed as orders end too, and so does TP/SL of the orders.',
  chooseOne: 'Choose orders, triggers or both.',
});
