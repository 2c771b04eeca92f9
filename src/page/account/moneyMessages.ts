// Messages of deposits and withdrawals.

import { translated } from '../messages/language.ts';

export const moneyMessages = translated('money', {
  deposit: 'Deposit',
  faucet: (amount: string) => `Once a day you get ${amount} USDT of play money.`,
  depositTestnet: 'This exchange trades play money. Its operator can credit more to your address:',
  depositMainnet:
    'No contract takes deposits yet: the operator credits them. Give the operator your address:',
  withdraw: 'Withdraw',
  withdrawHint:
    'Money goes to your own wallet alone. It leaves your balance at once and is pending until ' +
    'the operator has sent it or gives it back.',
  withdrawals: 'Withdrawals',
  noWithdrawals: 'No withdrawals yet.',
  amount: 'Amount (USDT)',
  most: (amount: string) => `Max ${amount}`,
  tooMuch: 'You cannot withdraw so much: orders and positions need the rest.',
  problems: {
    malformed: 'A number above zero, please.',
    ambiguous: 'Is the comma a decimal point? Please use a point.',
    offGrid: 'At most six decimals, please.',
    tooLarge: 'This number is too large.',
  },
  request: 'Request withdrawal',
  question: (amount: string, address: string) => `Withdraw ${amount} USDT to ${address}?`,
  confirm: 'Yes, withdraw',
  requested: 'Withdrawal requested',
  time: 'Time',
  status: 'Status',
  statuses: { pending: 'Pending', completed: 'Completed', released: 'Given back' },
});
