// Messages about cancel on disconnect.

import { translated } from './language.ts';

export const disconnectMessages = translated('disconnect', {
  title: 'Cancel orders on disconnect',
  on: 'Orders end with this tab',
  waits: 'Orders do not end with this tab yet',
  refused: 'Cancel on disconnect is off',
  stillOn: 'Cancel on disconnect is still on',
  ended: 'Orders ended by a disconnect',
});
