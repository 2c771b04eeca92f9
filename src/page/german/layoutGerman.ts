// German of layoutMessages.

import type { layoutMessages } from '../layout/layoutMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const layoutGerman: TextsOf<typeof layoutMessages> = {
  views: 'Ansichten',
  view: { chart: 'Chart', book: 'Orderbuch', trade: 'Handeln', account: 'Konto' },
  playMoney: 'Spielgeld',
  start: 'Erste Schritte',
  rules: 'Wie es funktioniert',
  glossary: 'Begriffe',
  errors: 'Fehler',
  interface: 'API',
  link: {
    live: 'Live',
    connecting: 'Verbindet',
    silent: 'Nicht live: Es kommen keine Nachrichten',
    lost: 'Nicht live: Verbindet erneut',
  },
  ageMs: (milliseconds) => `${milliseconds} ms`,
  ageSeconds: (seconds) => `${seconds} s`,
  connection: 'Verbindung',
  settings: 'Einstellungen',
  pastNotices: 'Mitteilungen',
  noNotices: 'Noch ist nichts geschehen.',
  tablesHeight: 'Höhe der Tabellen',
  sessionExpired: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  hotkeys: 'Tastenkürzel',
};
