// What cancel on disconnect does, loaded with its switch.

import { translated } from '../messages/language.ts';

export const disconnectSwitchMessages = translated('disconnectSwitch', {
  when: 'When this tab is closed or loaded again, when you sign out,',
  lost: 'or when its connection breaks (noticed within 35 seconds):',
  ends: 'Open orders on all markets end, also those of other tabs and programs.',
  opens: 'Triggers that open a position end.',
  stays: 'Positions, stop-losses, take-profits and triggers that only reduce stay.',
  ofTab: 'It holds for this tab.',
  needsLogin: 'Sign in to switch it on.',
});
