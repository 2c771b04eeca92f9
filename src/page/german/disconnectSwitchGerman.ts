// German of disconnectSwitchMessages.

import type { disconnectSwitchMessages } from '../layout/disconnectSwitchMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const disconnectSwitchGerman: TextsOf<typeof disconnectSwitchMessages> = {
  when: 'Wenn dieser Tab geschlossen oder neu geladen wird, wenn Sie sich abmelden',
  lost: 'oder wenn seine Verbindung abbricht (bemerkt binnen 35 Sekunden):',
  ends: 'Offene Orders auf allen Märkten enden, auch die anderer Tabs und Programme.',
  opens: 'Auslöser, die eine Position öffnen, enden.',
  stays: 'Positionen, Stop-Losses, Take-Profits und Auslöser, die nur abbauen, bleiben.',
  ofTab: 'Es gilt für diesen Tab.',
  needsLogin: 'Melden Sie sich an, um es einzuschalten.',
};
