// German of walletMessages.

import type { walletMessages } from '../account/walletMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const walletGerman: TextsOf<typeof walletMessages> = {
  guestHint: 'Ein Wallet für Spielgeld, das in diesem Browser bleibt.',
  noWallets: 'Dieser Browser hat kein Wallet.',
  waiting: (wallet) => `Bestätigen Sie in ${wallet}…`,
  giveUp: 'Nicht mehr warten',
  signedIn: 'Angemeldet',
  signInFailed: 'Anmeldung fehlgeschlagen',
  why: 'Die Signatur kostet nichts und bewegt kein Geld.',
};
