// Messages that several parts of the page use.

import { translated } from './language.ts';

export const generalMessages = translated({
  en: {
    unreachable: 'The exchange cannot be reached. Nothing is known of the request.',
    unexpected: 'Something went wrong on this page.',
    dismiss: 'Dismiss',
    none: '–',
    reading: 'Reading…',
    again: 'Try again',
    copied: 'Copied',
    wallet: {
      refused: 'You declined in the wallet.',
      silent: 'The wallet did not answer. Open it, and try again.',
      wrongChain: 'The wallet is on another chain. Switch it, and try again.',
      noAccount: 'The wallet has no account that this page may see.',
      unusable: 'The wallet could not sign.',
      otherAccount: 'The wallet has chosen another account. Choose the one that is signed in.',
      absent: 'This browser no longer has the wallet. Sign out, and sign in again.',
    },
  },
  de: {
    unreachable: 'Die Börse ist nicht erreichbar. Ob die Anfrage wirkte, ist nicht bekannt.',
    unexpected: 'Auf dieser Seite ist ein Fehler aufgetreten.',
    dismiss: 'Schließen',
    none: '–',
    reading: 'Wird gelesen…',
    again: 'Noch einmal',
    copied: 'Kopiert',
    wallet: {
      refused: 'Sie haben im Wallet abgelehnt.',
      silent: 'Das Wallet hat nicht geantwortet. Öffnen Sie es und versuchen Sie es erneut.',
      wrongChain:
        'Das Wallet ist auf einer anderen Chain. Wechseln Sie und versuchen Sie es erneut.',
      noAccount: 'Das Wallet zeigt dieser Seite kein Konto.',
      unusable: 'Das Wallet konnte nicht signieren.',
      otherAccount: 'Im Wallet ist ein anderes Konto gewählt. Wählen Sie das angemeldete.',
      absent: 'Dieser Browser hat das Wallet nicht mehr. Melden Sie sich ab und wieder an.',
    },
  },
});
