// German of referralMessages.

import type { referralMessages } from '../account/referralMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const referralGerman: TextsOf<typeof referralMessages> = {
  terms: (discount, share) =>
    `Konten mit Ihrem Code zahlen ${discount} weniger Gebühren, und Sie erhalten davon ${share}.`,
  off: 'Empfehlungen sind hier abgeschaltet. Was angefallen ist, kann abgeholt werden.',
  myCode: 'Mein Code',
  copyCode: 'Code kopieren',
  newCode: 'Neuer Code',
  newCodeHint: '4 bis 16 Zeichen A–Z und 0–9. Er kann später nicht geändert werden.',
  setCode: 'Meinen Code festlegen',
  boundCode: 'Fremder Code',
  boundTo: 'Gebunden an',
  bindHint: 'Nur vor Ihrem ersten Trade, und nur einmal.',
  bind: 'Diesen Code nutzen',
  referees: 'Konten, die meinen Code nutzen',
  total: 'Insgesamt verdient',
  claimed: 'Abgeholt',
  accrued: 'Kann abgeholt werden',
  claim: 'Abholen',
  claimDone: 'Empfehlung gutgeschrieben',
  claimRefused: 'Es wurde nichts abgeholt',
  days: 'Verdienst nach Tagen',
  day: 'Tag (UTC)',
  earned: 'Verdient (USDT)',
  noDays: 'Noch wurde nichts verdient.',
};
