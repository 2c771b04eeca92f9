// Messages that several parts of the page use.

import { translated } from './language.ts';

export const generalMessages = translated('general', {
  unreachable: 'The exchange cannot be reached. Nothing is known of the request.',
  unexpected: 'Something went wrong on this page.',
  part: {
    renewed: 'The exchange has a new version of this page. Load the page again.',
    unreachable:
      'The exchange cannot be reached, so this part of the page was not loaded. ' +
      'Load the page again when the connection is back.',
    broken: 'This part of the page was not loaded. Load the page again.',
  },
  language: 'The texts of your language were not loaded',
  dismiss: 'Dismiss',
  none: '–',
  neverLiquidated: 'none',
  neverLiquidatedWhy: 'The account covers this position at every price.',
  reading: 'Reading…',
  again: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  wallet: {
    refused: 'You declined in the wallet.',
    silent: 'The wallet did not answer. Open it, and try again.',
    wrongChain: 'The wallet is on another chain. Switch it, and try again.',
    noAccount: 'The wallet has no account that this page may see.',
    unusable: 'The wallet could not sign.',
    noContract: 'The network of this wallet does not have the contract. Choose the right one.',
    unsent:
      'The wallet names no transaction. It needs coins of the chain for the gas. Look into it ' +
      'before you try again.',
    reverted: 'The chain has refused the transaction. Nothing was paid in.',
    notMined: 'The transaction was sent and is in no block yet. Look it up before you try again.',
    otherAccount: 'The wallet has chosen another account. Choose the one that is signed in.',
    absent: 'This browser no longer has the wallet. Sign out, and sign in again.',
  },
});
