// German of disconnectMessages.

import type { disconnectMessages } from '../messages/disconnectMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const disconnectGerman: TextsOf<typeof disconnectMessages> = {
  title: 'Orders bei Trennung stornieren',
  on: 'Orders enden mit diesem Tab',
  waits: 'Orders enden noch nicht mit diesem Tab',
  refused: 'Stornieren bei Trennung ist aus',
  stillOn: 'Stornieren bei Trennung ist noch an',
  ended: 'Orders durch Trennung beendet',
};
