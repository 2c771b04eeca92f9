// German of chartActMessages.

import type { chartActMessages } from '../chart/chartActMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const chartActGerman: TextsOf<typeof chartActMessages> = {
  moveTitle: 'Order ändern?',
  fromTo: (before, after) => `Von ${before} auf ${after}`,
  takeProfitTitle: 'Take-Profit setzen?',
  stopLossTitle: 'Stop-Loss setzen?',
  legText: (price) => `Er schließt die ganze Position, wenn der Mark-Preis ${price} erreicht.`,
};
