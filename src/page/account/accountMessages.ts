// Messages of wallets, logins and the faucet.

import { translated } from '../messages/language.ts';

export const accountMessages = translated('account', {
  connect: 'Connect wallet',
  guest: 'Try without a wallet',
  connectToTrade: 'Connect a wallet to trade',
  making: 'Making a wallet…',
  guestName: 'Guest',
  faucet: 'Get play money',
  faucetDone: 'Play money credited',
  faucetFailed: 'No play money',
});
