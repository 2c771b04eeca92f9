// Messages of sessions.

import { translated } from '../messages/language.ts';

export const sessionMessages = translated({
  en: {
    sessions: 'Sessions',
    about: 'Each sign-in of your wallet is a session. End those that you do not know.',
    none: 'This sign-in is from before sessions were listed.',
    agent: 'Browser or program',
    address: 'Network address',
    created: 'Signed in',
    used: 'Last used',
    acts: 'Actions',
    current: 'This session',
    end: 'End',
    endQuestion: 'End this session?',
    endOthers: 'End all other sessions',
    endOthersQuestion: 'End all others?',
    refused: 'The session was not ended',
  },
  de: {
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
  },
});
