// German of moneyMessages.

import type { moneyMessages } from '../account/moneyMessages.ts';
import type { TextsOf } from '../messages/language.ts';
import { hoursText } from '../state/timeText.ts';

export const moneyGerman: TextsOf<typeof moneyMessages> = {
  deposit: 'Einzahlen',
  faucet: (amount) => `Einmal am Tag bekommen Sie ${amount} USDT Spielgeld.`,
  depositTestnet:
    'Diese Börse handelt mit Spielgeld. Ihr Betreiber kann Ihrer Adresse mehr gutschreiben:',
  depositMainnet:
    'Noch nimmt kein Vertrag Einzahlungen an: Der Betreiber schreibt sie gut. Geben Sie ihm ' +
    'Ihre Adresse:',
  depositVault:
    'USDT gehen von Ihrem Wallet in den Vertrag dieser Börse und werden gutgeschrieben, wenn ihr ' +
    'Block endgültig ist.',
  depositElsewhere:
    'Jedes Wallet kann für Sie einzahlen: Es erlaubt dem Vertrag, seine USDT zu nehmen, und ruft ' +
    'deposit auf, mit Ihrer Adresse und dem Betrag in Millionsteln. USDT, die ohne das gesendet ' +
    'werden, bekommt niemand gutgeschrieben.',
  contract: 'Vertrag',
  token: 'USDT-Token',
  yourAddress: 'Ihre Adresse',
  depositAmount: 'Einzahlung (USDT)',
  depositNow: 'Vom Wallet einzahlen',
  depositSteps: {
    open: 'Öffnen Sie Ihr Wallet, wenn es Sie fragt.',
    allow: 'Im Wallet: Erlauben Sie dem Vertrag, diesen Betrag zu nehmen.',
    confirm: 'Im Wallet: Bestätigen Sie die Einzahlung.',
    wait: 'Warten auf den nächsten Block …',
  },
  deposited: (amount) => `${amount} USDT eingezahlt`,
  whenFinal: 'Der Betrag wird gutgeschrieben, wenn sein Block endgültig ist.',
  belowMinimum: (amount) => `Die kleinste Einzahlung ist ${amount} USDT.`,
  notEnough: (amount) => `Ihr Wallet hat ${amount} USDT.`,
  leastDeposit: 'Kleinste Einzahlung',
  creditedWhen: 'Gutgeschrieben',
  whenChainFinal: 'wenn die Chain den Block endgültig nennt',
  whenDeep: (depth) =>
    `wenn die Chain den Block endgültig nennt; stockt das, nach ${depth} weiteren Blöcken`,
  withdraw: 'Auszahlen',
  withdrawHint:
    'Geld geht nur an Ihr eigenes Wallet. Es verlässt Ihr Guthaben sofort und steht aus, bis ' +
    'der Betreiber es gesendet hat oder zurückgibt.',
  withdrawVaultHint: (least, fee) =>
    'Geld geht nur an Ihr eigenes Wallet. Es verlässt Ihr Guthaben sofort, und der Vertrag zahlt ' +
    `es aus; ein großer Betrag wartet dort erst. Mindestens ${least} USDT; davon sind ${fee} ` +
    'USDT Gebühr.',
  atOnceEach: 'Sofort, je bis zu',
  atOnceNow: 'Sofort jetzt, für alle',
  ofDay: (now, day) => `${now} von ${day} am Tag`,
  otherwise: 'Sonst',
  waits: (seconds) => `${hoursText(seconds).replace('.', ',')} Stunden Wartezeit im Vertrag`,
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
  readyAt: (time) => `Wartet im Vertrag bis ${time}`,
  transaction: 'Transaktion',
};
