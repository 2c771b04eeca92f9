// Messages of the question about an act on the chart, loaded with it.

import { translated } from '../messages/language.ts';

export const chartActMessages = translated('chartAct', {
  moveTitle: 'Change the order?',
  fromTo: (before: string, after: string) => `From ${before} to ${after}`,
  takeProfitTitle: 'Set a take-profit?',
  stopLossTitle: 'Set a stop-loss?',
  legText: (price: string) => `It closes the whole position when the mark reaches ${price}.`,
});
