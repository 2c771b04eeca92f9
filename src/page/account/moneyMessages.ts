// Messages of deposits and withdrawals.

import { translated } from '../messages/language.ts';
import { hoursText } from '../state/timeText.ts';

export const moneyMessages = translated('money', {
  deposit: 'Deposit',
  faucet: (amount: string) => `Once a day you get ${amount} USDT of play money.`,
  depositTestnet: 'This exchange trades play money. Its operator can credit more to your address:',
  depositMainnet:
    'No contract takes deposits yet: the operator credits them. Give the operator your address:',
  depositVault:
    'USDT goes from your wallet into the contract of this exchange, and is credited when its ' +
    'block is final.',
  depositElsewhere:
    'Any wallet can deposit for you: it lets the contract take its USDT, and calls deposit with ' +
    'your address and the amount in millionths. USDT that is sent without that is credited to no ' +
    'account.',
  contract: 'Contract',
  token: 'USDT token',
  yourAddress: 'Your address',
  depositAmount: 'Deposit (USDT)',
  depositNow: 'Deposit from the wallet',
  depositSteps: {
    open: 'Open your wallet if it asks you.',
    allow: 'In your wallet: let the contract take this amount.',
    confirm: 'In your wallet: confirm the deposit.',
    wait: 'Waiting for the next block…',
  },
  deposited: (amount: string) => `${amount} USDT paid in`,
  whenFinal: 'It is credited when its block is final.',
  belowMinimum: (amount: string) => `The least deposit is ${amount} USDT.`,
  notEnough: (amount: string) => `Your wallet holds ${amount} USDT.`,
  leastDeposit: 'Least deposit',
  creditedWhen: 'Credited',
  whenChainFinal: 'when the chain calls the block final',
  whenDeep: (depth: number) =>
    `when the chain calls the block final, or ${depth} blocks later if that stalls`,
  withdraw: 'Withdraw',
  withdrawHint:
    'Money goes to your own wallet alone. It leaves your balance at once and is pending until ' +
    'the operator has sent it or gives it back.',
  withdrawVaultHint: (least: string, fee: string) =>
    'Money goes to your own wallet alone. It leaves your balance at once, and the contract pays ' +
    `it; a large amount waits there first. At least ${least} USDT; ${fee} USDT of it is the fee.`,
  atOnceEach: 'Paid at once, each up to',
  atOnceNow: 'At once now, for all users',
  ofDay: (now: string, day: string) => `${now} of ${day} a day`,
  otherwise: 'Otherwise',
  waits: (seconds: number) => `waits ${hoursText(seconds)} hours in the contract`,
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
  readyAt: (time: string) => `Waits in the contract until ${time}`,
  transaction: 'Transaction',
});
