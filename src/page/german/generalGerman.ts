// German of generalMessages.

import type { generalMessages } from '../messages/generalMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const generalGerman: TextsOf<typeof generalMessages> = {
  unreachable: 'Die Börse ist nicht erreichbar. Ob die Anfrage wirkte, ist nicht bekannt.',
  unexpected: 'Auf dieser Seite ist ein Fehler aufgetreten.',
  part: {
    renewed: 'Die Börse hat eine neue Fassung dieser Seite. Laden Sie die Seite neu.',
    unreachable:
      'Die Börse ist nicht erreichbar, deshalb fehlt dieser Teil der Seite. ' +
      'Laden Sie die Seite neu, sobald die Verbindung wieder da ist.',
    broken: 'Dieser Teil der Seite wurde nicht geladen. Laden Sie die Seite neu.',
  },
  language: 'Die Texte Ihrer Sprache wurden nicht geladen',
  dismiss: 'Schließen',
  none: '–',
  neverLiquidated: 'keiner',
  neverLiquidatedWhy: 'Das Konto deckt diese Position bei jedem Preis.',
  reading: 'Wird gelesen…',
  again: 'Noch einmal',
  copy: 'Kopieren',
  copied: 'Kopiert',
  wallet: {
    refused: 'Sie haben im Wallet abgelehnt.',
    silent: 'Das Wallet hat nicht geantwortet. Öffnen Sie es und versuchen Sie es erneut.',
    wrongChain: 'Das Wallet ist auf einer anderen Chain. Wechseln Sie und versuchen Sie es erneut.',
    noAccount: 'Das Wallet zeigt dieser Seite kein Konto.',
    unusable: 'Das Wallet konnte nicht signieren.',
    noContract: 'Das Netzwerk dieses Wallets hat den Vertrag nicht. Wählen Sie das richtige.',
    unsent:
      'Das Wallet nennt keine Transaktion. Es braucht Münzen der Chain für das Gas. Sehen Sie ' +
      'dort nach, bevor Sie es noch einmal versuchen.',
    reverted: 'Die Chain hat die Transaktion abgelehnt. Es wurde nichts eingezahlt.',
    notMined:
      'Die Transaktion ist gesendet und steht noch in keinem Block. Sehen Sie nach, bevor Sie ' +
      'es noch einmal versuchen.',
    otherAccount: 'Im Wallet ist ein anderes Konto gewählt. Wählen Sie das angemeldete.',
    absent: 'Dieser Browser hat das Wallet nicht mehr. Melden Sie sich ab und wieder an.',
  },
};
