// German of keyMessages.

import type { keyMessages } from '../account/keyMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const keyGerman: TextsOf<typeof keyMessages> = {
  keys: 'API-Schlüssel',
  about: 'Mit einem Schlüssel handelt Ihr Programm für Sie. Kein Schlüssel kann Geld auszahlen.',
  none: 'Sie haben keine API-Schlüssel.',
  label: 'Name',
  key: 'Schlüssel',
  secret: 'Geheimnis',
  addresses: 'IP-Adressen',
  addressesHint: 'Durch Kommas getrennt. Leer: Der Schlüssel gilt von überall.',
  everyAddress: 'Von überall',
  permissions: 'Rechte: Handeln und Einzahlungen lesen. Auszahlungen gehören nie dazu.',
  status: 'Stand',
  statuses: { active: 'Aktiv', disabled: 'Abgeschaltet' },
  created: 'Erstellt',
  used: 'Zuletzt benutzt',
  never: 'Nie',
  acts: 'Aktionen',
  disable: 'Abschalten',
  enable: 'Einschalten',
  revoke: 'Widerrufen',
  revokeQuestion: 'Endgültig widerrufen?',
  refused: 'Der Schlüssel wurde nicht geändert',
  create: 'API-Schlüssel erstellen',
  stale: 'Ein neuer Schlüssel braucht eine frische Signatur Ihres Wallets.',
  sign: 'Mit dem Wallet signieren',
  signing: 'Bestätigen Sie in Ihrem Wallet…',
  made: 'Neuer API-Schlüssel',
  secretOnce: 'Das Geheimnis wird nur dieses eine Mal gezeigt. Bewahren Sie es auf.',
  copyKey: 'Schlüssel kopieren',
  copySecret: 'Geheimnis kopieren',
  secretKept: 'Ich habe das Geheimnis aufbewahrt',
};
