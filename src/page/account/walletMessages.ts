// Messages of the choice of a wallet and the login, loaded with them.

import { translated } from '../messages/language.ts';

export const walletMessages = translated('wallet', {
  guestHint: 'A wallet for play money, kept in this browser.',
  noWallets: 'This browser has no wallet.',
  waiting: (wallet: string) => `Confirm in ${wallet}…`,
  giveUp: 'Stop waiting',
  signedIn: 'Signed in',
  signInFailed: 'Sign-in failed',
  why: 'Signing costs nothing and moves no money.',
});
