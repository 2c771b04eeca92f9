// German of sessionMessages.

import type { sessionMessages } from '../account/sessionMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const sessionGerman: TextsOf<typeof sessionMessages> = {
  sessions: 'Sitzungen',
  about: 'Jede Anmeldung Ihres Wallets ist eine Sitzung. Beenden Sie, was Sie nicht kennen.',
  none: 'Diese Anmeldung ist älter als die Liste der Sitzungen.',
  agent: 'Browser oder Programm',
  address: 'Netzadresse',
  created: 'Angemeldet',
  used: 'Zuletzt benutzt',
  acts: 'Aktionen',
  current: 'Diese Sitzung',
  end: 'Beenden',
  endQuestion: 'Sitzung beenden?',
  endOthers: 'Alle anderen Sitzungen beenden',
  endOthersQuestion: 'Alle anderen beenden?',
  refused: 'Die Sitzung wurde nicht beendet',
};
