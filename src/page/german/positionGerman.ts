// German of positionMessages.

import type { TextsOf } from '../messages/language.ts';
import type { positionMessages } from '../positions/positionMessages.ts';

export const positionGerman: TextsOf<typeof positionMessages> = {
  protection: 'TP / SL',
  limit: 'Limit',
  reverse: 'Umkehren',
  protect: 'TP/SL',
  byOrders: 'aus Orders',
  byOrdersHint: 'Orders haben sie mitgebracht: Sie schließen, was die Orders eröffnet haben.',
  collateral: 'Sicherheit',
};
