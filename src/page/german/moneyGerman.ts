// German of moneyMessages.

import type { moneyMessages } from '../account/moneyMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const moneyGerman: TextsOf<typeof moneyMessages> = {
  deposit: 'Einzahlen',
  faucet: (amount) => `Einmal am Tag bekommen Sie ${amount} USDT Spielgeld.`,
  depositTestnet:
    'Diese Börse handelt mit Spielgeld. Ihr Betreiber kann Ihrer Adresse mehr gutschreiben:',
  depositMainnet:
    'Noch nimmt kein Vertrag Einzahlungen an: Der Betreiber schreibt sie gut. Geben Sie ihm ' +
    'Ihre Adresse:',
  withdraw: 'Auszahlen',
  withdrawHint:
    'Geld geht nur an Ihr eigenes Wallet. Es verlässt Ihr Guthaben sofort und steht aus, bis ' +
    'der Betreiber es gesendet hat oder zurückgibt.',
  withdrawals: 'Auszahlungen',
  noWithdrawals: 'Noch keine Auszahlungen.',
  amount: 'Betrag (USDT)',
  most: (amount) => `Max. ${amount}`,
  tooMuch: 'So viel ist nicht auszahlbar: Orders und Positionen brauchen den Rest.',
  problems: {
    malformed: 'Bitte eine Zahl über null.',
    ambiguous: 'Ist das Komma ein Dezimalzeichen? Bitte einen Punkt.',
    offGrid: 'Bitte höchstens sechs Nachkommastellen.',
    tooLarge: 'Diese Zahl ist zu groß.',
  },
  request: 'Auszahlung anfordern',
  question: (amount, address) => `${amount} USDT an ${address} auszahlen?`,
  confirm: 'Ja, auszahlen',
  requested: 'Auszahlung angefordert',
  time: 'Zeit',
  status: 'Stand',
  statuses: { pending: 'Ausstehend', completed: 'Abgeschlossen', released: 'Zurückgegeben' },
};
