// Messages about what can be done with a position.

import { translated } from '../messages/language.ts';

export const positionMessages = translated('position', {
  protection: 'TP / SL',
  limit: 'Limit',
  reverse: 'Reverse',
  protect: 'TP/SL',
  byOrders: 'by orders',
  byOrdersHint: 'Orders brought them: they close what the orders opened. See the open orders.',
  collateral: 'Collateral',
});
