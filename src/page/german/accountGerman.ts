// German of accountMessages.

import type { accountMessages } from '../account/accountMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const accountGerman: TextsOf<typeof accountMessages> = {
  connect: 'Wallet verbinden',
  guest: 'Ohne Wallet ausprobieren',
  connectToTrade: 'Zum Handeln Wallet verbinden',
  making: 'Wallet wird gemacht…',
  guestName: 'Gast',
  faucet: 'Spielgeld holen',
  faucetDone: 'Spielgeld gutgeschrieben',
  faucetFailed: 'Kein Spielgeld',
};
