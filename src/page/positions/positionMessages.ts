// Messages about what can be done with a position.

import { translated } from '../messages/language.ts';

export const positionMessages = translated('position', {
  protection: 'TP / SL',
  limit: 'Limit',
  reverse: 'Reverse',
  protect: 'TP/SL',
  collateral: 'Collateral',
});
