// Messages of the dialog of the account, loaded with it.

import { translated } from '../messages/language.ts';

export const accessMessages = translated('access', {
  disconnect: 'Sign out',
  address: 'Address',
  copy: 'Copy address',
  account: 'Account',
  wallet: 'Wallet',
  exportKey: 'Show private key',
  exportHint: 'This key controls the guest wallet. Anyone who has it can trade with its money.',
  privateKey: 'Private key',
  until: (time: string) => `Signed in until ${time}`,
  views: {
    access: 'Account',
    money: 'Deposit and withdraw',
    proof: 'Proof of funds',
    keys: 'API keys',
    sessions: 'Sessions',
    referral: 'Referral',
    fees: 'Fees',
  },
});
