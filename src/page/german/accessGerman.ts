// German of accessMessages.

import type { accessMessages } from '../account/accessMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const accessGerman: TextsOf<typeof accessMessages> = {
  disconnect: 'Abmelden',
  address: 'Adresse',
  copy: 'Adresse kopieren',
  account: 'Konto',
  wallet: 'Wallet',
  exportKey: 'Privaten Schlüssel zeigen',
  exportHint: 'Dieser Schlüssel steuert das Gast-Wallet. Wer ihn hat, kann mit dem Geld handeln.',
  privateKey: 'Privater Schlüssel',
  until: (time) => `Angemeldet bis ${time}`,
  views: {
    access: 'Konto',
    money: 'Ein- und auszahlen',
    proof: 'Guthabennachweis',
    keys: 'API-Schlüssel',
    sessions: 'Sitzungen',
    referral: 'Empfehlung',
    fees: 'Gebühren',
  },
};
