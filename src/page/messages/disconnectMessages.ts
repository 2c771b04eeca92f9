// Messages about cancel on disconnect.

import { translated } from './language.ts';

export const disconnectMessages = translated({
  en: {
    title: 'Cancel orders on disconnect',
    when: 'When this tab is closed or loaded again, when you sign out,',
    lost: 'or when its connection breaks (noticed within 35 seconds):',
    ends: 'Open orders on all markets end, also those of other tabs and programs.',
    opens: 'Triggers that open a position end.',
    stays: 'Positions, stop-losses, take-profits and triggers that only reduce stay.',
    ofTab: 'It holds for this tab.',
    needsLogin: 'Sign in to switch it on.',
    on: 'Orders end with this tab',
    waits: 'Orders do not end with this tab yet',
    refused: 'Cancel on disconnect is off',
    stillOn: 'Cancel on disconnect is still on',
    ended: 'Orders ended by a disconnect',
  },
  de: {
    title: 'Orders bei Trennung stornieren',
    when: 'Wenn dieser Tab geschlossen oder neu geladen wird, wenn Sie sich abmelden',
    lost: 'oder wenn seine Verbindung abbricht (bemerkt binnen 35 Sekunden):',
    ends: 'Offene Orders auf allen Märkten enden, auch die anderer Tabs und Programme.',
    opens: 'Auslöser, die eine Position öffnen, enden.',
    stays: 'Positionen, Stop-Losses, Take-Profits und Auslöser, die nur abbauen, bleiben.',
    ofTab: 'Es gilt für diesen Tab.',
    needsLogin: 'Melden Sie sich an, um es einzuschalten.',
    on: 'Orders enden mit diesem Tab',
    waits: 'Orders enden noch nicht mit diesem Tab',
    refused: 'Stornieren bei Trennung ist aus',
    stillOn: 'Stornieren bei Trennung ist noch an',
    ended: 'Orders durch Trennung beendet',
  },
});
