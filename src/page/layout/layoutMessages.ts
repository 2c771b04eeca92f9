// Messages of the frame of the page.

import { translated } from '../messages/language.ts';

export const layoutMessages = translated('layout', {
  views: 'Views',
  view: { chart: 'Chart', book: 'Book', trade: 'Trade', account: 'Account' },
  playMoney: 'Play money',
  start: 'Getting started',
  rules: 'How it works',
  glossary: 'Glossary',
  errors: 'Errors',
  interface: 'API',
  link: {
    live: 'Live',
    connecting: 'Connecting',
    silent: 'Not live: no message arrives',
    lost: 'Not live: reconnecting',
  },
  ageMs: (milliseconds: number) => `${milliseconds} ms`,
  ageSeconds: (seconds: number) => `${seconds} s`,
  connection: 'Connection',
  settings: 'Settings',
  pastNotices: 'Notices',
  noNotices: 'Nothing has happened yet.',
  tablesHeight: 'Height of the tables',
  sessionExpired: 'Your session has ended. Sign in again.',
  hotkeys: 'Hotkeys',
});
