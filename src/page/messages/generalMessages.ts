// Messages that several parts of the page use.

import { translated } from './language.ts';

export const generalMessages = translated({
  en: {
    unreachable: 'The exchange cannot be reached. Nothing is known of the request.',
    unexpected: 'Something went wrong on this page.',
    dismiss: 'Dismiss',
    none: '–',
    wallet: {
      refused: 'You declined in the wallet.',
      silent: 'The wallet did not answer. Open it, and try again.',
      wrongChain: 'The wallet is on another chain. Switch it, and try again.',
      noAccount: 'The wallet has no account that this page may see.',
      unusable: 'The wallet could not sign.',
    },
  },
  de: {
    unreachable: 'Die Börse ist nicht erreichbar. Ob die Anfrage wirkte, ist nicht bekannt.',
    unexpected: 'Auf dieser Seite ist ein Fehler aufgetreten.',
    dismiss: 'Schließen',
    none: '–',
    wallet: {
      refused: 'Sie haben im Wallet abgelehnt.',
      silent: 'Das Wallet hat nicht geantwortet. Öffnen Sie es und versuchen Sie es erneut.',
      wrongChain:
        'Das Wallet ist auf einer anderen Chain. Wechseln Sie und versuchen Sie es erneut.',
      noAccount: 'Das Wallet zeigt dieser Seite kein Konto.',
      unusable: 'Das Wallet konnte nicht signieren.',
    },
  },
});
