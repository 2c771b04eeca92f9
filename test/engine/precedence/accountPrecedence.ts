// In which order the checks of commands about orders, money and settings of an account come.

import { positionIn } from '../../../src/engine/account.ts';
import {
  countdownsIdleMax,
  countdownsMax,
  creditReferencesMax,
  equityPerWaiting,
  owedMax,
  withdrawalsMax,
  withdrawalsPerAccountMax,
} from '../../../src/engine/limits.ts';
import type { Lots, MarketId, Money, OrderId } from '../../../src/units/units.ts';
import {
  accountsFull,
  accountUnknown,
  idempotencyConflict,
  late,
  marketUnknown,
} from './commonSpoilers.ts';
import {
  type Pairs,
  type Precedence,
  pretendSize,
  type Situation,
  type Spoiler,
} from './situation.ts';
import { vaultBound } from './vaultPrecedence.ts';

const orderNotFound: Spoiler<'cancelOrder' | 'cancelTrigger'> = {
  name: 'orderNotFound',
  spoil: ({ command }) => {
    command.order = { clientOrderId: 'never' };
  },
  holds: ({ command }) =>
    'clientOrderId' in command.order && command.order.clientOrderId === 'never',
};

export const cancelOrderPrecedence: Precedence<'cancelOrder'> = {
  owner: 'alice',
  command: ({ account }) => ({
    kind: 'cancelOrder',
    account: account.id,
    market: undefined,
    order: { clientOrderId: 'mine' },
  }),
  spoilers: [late, accountUnknown, orderNotFound],
};

export const cancelTriggerPrecedence: Precedence<'cancelTrigger'> = {
  owner: 'bob',
  command: ({ account }) => ({
    kind: 'cancelTrigger',
    account: account.id,
    market: undefined,
    order: { clientOrderId: 'waits' },
  }),
  spoilers: [late, accountUnknown, orderNotFound],
};

export const cancelAllOrdersPrecedence: Precedence<'cancelAllOrders'> = {
  owner: 'alice',
  command: ({ account, market }) => ({
    kind: 'cancelAllOrders',
    account: account.id,
    market: market.id,
  }),
  spoilers: [late, accountUnknown, marketUnknown],
};

export const cancelAllTriggersPrecedence: Precedence<'cancelAllTriggers'> = {
  owner: 'bob',
  command: ({ account, market }) => ({
    kind: 'cancelAllTriggers',
    account: account.id,
    market: market.id,
    route: 'algo',
  }),
  spoilers: [late, accountUnknown, marketUnknown],
};

export const setLeveragePrecedence: Precedence<'setLeverage'> = {
  owner: 'carol',
  command: ({ account, market }) => ({
    kind: 'setLeverage',
    account: account.id,
    market: market.id,
    leverage: 5,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    {
      name: 'leverageInvalid',
      spoil: ({ command }) => {
        command.leverage = 51;
      },
      holds: ({ command, market }) => command.leverage > market.terms.maxLeverage,
    },
  ],
};

/** Nothing to cancel. No countdown of carol's runs: one that is set again takes no more room. */
const isIdle = ({ account, market }: Situation<'setCountdown'>): boolean =>
  (account.positions[market.id]?.orderCount ?? 0) === 0;

/** No room is left even where there is an order to cancel. */
const countdownsFull: Spoiler<'setCountdown'> = {
  name: 'capacityReached: countdowns',
  spoil: ({ exchange, account, market }) => {
    exchange.timers.counts.countdown = countdownsMax;
    positionIn(account, market.id).orderCount = 1;
  },
  holds: (s) => s.exchange.timers.counts.countdown >= countdownsMax && !isIdle(s),
};

/** What room is left is for accounts with something to cancel. */
const idleCountdownsFull: Spoiler<'setCountdown'> = {
  name: 'capacityReached: idle countdowns',
  spoil: ({ exchange }) => {
    exchange.timers.counts.countdown = countdownsIdleMax;
  },
  holds: (s) => s.exchange.timers.counts.countdown === countdownsIdleMax && isIdle(s),
};

const withoutEquity: Spoiler<'setCountdown'> = {
  name: 'equityInsufficient',
  spoil: ({ account }) => {
    account.available = (equityPerWaiting - 1) as Money;
  },
  holds: (s) => s.account.available < equityPerWaiting && isIdle(s),
};

export const setCountdownPrecedence: Precedence<'setCountdown'> = {
  owner: 'carol',
  command: ({ account, market }) => ({
    kind: 'setCountdown',
    account: account.id,
    market: market.id,
    milliseconds: 5000,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    countdownsFull,
    idleCountdownsFull,
    withoutEquity,
    {
      name: 'countdownInvalid',
      spoil: ({ command }) => {
        command.milliseconds = 86_400_001;
      },
      holds: ({ command }) => command.milliseconds > 86_400_000,
    },
  ],
  impossible: [
    [
      ['capacityReached: countdowns'],
      ['capacityReached: idle countdowns', 'equityInsufficient'],
      'with something to cancel a countdown is not idle, and needs no equity',
    ],
  ],
};

export const setMarginModePrecedence: Precedence<'setMarginMode'> = {
  owner: 'carol',
  command: ({ account }) => ({ kind: 'setMarginMode', account: account.id, mode: 'isolated' }),
  spoilers: [
    late,
    accountUnknown,
    {
      name: 'openOrdersPresent',
      spoil: ({ account }) => {
        positionIn(account, 0 as MarketId).orderCount = 1;
      },
      holds: ({ account }) => account.positions[0]?.orderCount === 1,
    },
    {
      name: 'openPositionsPresent',
      spoil: ({ account }) => {
        positionIn(account, 0 as MarketId).lots = 1 as Lots;
      },
      holds: ({ account }) => account.positions[0]?.lots === 1,
    },
  ],
};

const amountInvalid: Spoiler<'credit' | 'creditInsurance' | 'requestWithdrawal'> = {
  name: 'amountInvalid',
  spoil: ({ command }) => {
    command.amount = 0 as Money;
  },
  holds: ({ command }) => command.amount <= 0,
};

export const transferCollateralPrecedence: Precedence<'transferCollateral'> = {
  owner: 'dave',
  command: ({ account, market }) => ({
    kind: 'transferCollateral',
    account: account.id,
    market: market.id,
    delta: 1_000_000 as Money,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    {
      name: 'amountInvalid',
      spoil: ({ command }) => {
        command.delta = 0 as Money;
      },
      holds: ({ command }) => command.delta === 0,
    },
    {
      name: 'marginModeCross',
      spoil: ({ account }) => {
        account.marginMode = 'cross';
      },
      holds: ({ account }) => account.marginMode !== 'isolated',
    },
    {
      name: 'positionMissing',
      spoil: ({ account, market }) => {
        account.positions[market.id]!.lots = 0 as Lots;
      },
      holds: ({ account, market }) => account.positions[market.id]!.lots === 0,
    },
    {
      name: 'balanceInsufficient',
      spoil: ({ account }) => {
        account.available = 1 as Money;
      },
      holds: ({ account, command }) => account.available < command.delta,
    },
  ],
  impossible: [[['amountInvalid'], ['balanceInsufficient'], 'nothing is never more than there is']],
};

export const requestWithdrawalPrecedence: Precedence<'requestWithdrawal'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'requestWithdrawal',
    account: account.id,
    amount: 1_000_000 as Money,
    idempotencyKey: '',
    idempotencyRequest: '',
  }),
  spoilers: [
    late,
    accountUnknown,
    idempotencyConflict,
    {
      name: 'capacityReached: withdrawals',
      spoil: ({ exchange }) => pretendSize(exchange.withdrawals, withdrawalsMax),
      holds: ({ exchange }) => exchange.withdrawals.size >= withdrawalsMax,
    },
    amountInvalid,
    {
      name: 'withdrawalBelowMin',
      spoil: ({ exchange }) => {
        exchange.vault.withdrawalMin = 2_000_000 as Money;
      },
      holds: ({ exchange, command }) => command.amount < exchange.vault.withdrawalMin,
    },
    {
      name: 'withdrawalsLimit',
      spoil: ({ account }) => {
        account.waitingWithdrawals = withdrawalsPerAccountMax;
      },
      holds: ({ account }) => account.waitingWithdrawals >= withdrawalsPerAccountMax,
    },
    {
      name: 'balanceInsufficient',
      spoil: ({ account }) => {
        account.available = 1 as Money;
      },
      holds: ({ account, command }) => account.available < command.amount,
    },
  ],
  impossible: [[['amountInvalid'], ['balanceInsufficient'], 'nothing is never more than there is']],
};

export const resolveWithdrawalPrecedence: Precedence<'resolveWithdrawal'> = {
  owner: 'carol',
  command: ({ exchange }) => ({
    kind: 'resolveWithdrawal',
    id: [...exchange.withdrawals.keys()][0]!,
    action: 'complete',
  }),
  spoilers: [
    late,
    vaultBound,
    {
      name: 'withdrawalUnknown',
      spoil: ({ command }) => {
        command.id = 99_999 as OrderId;
      },
      holds: ({ command, exchange }) => !exchange.withdrawals.has(command.id),
    },
  ],
};

const referenceConflict: Spoiler<'credit' | 'creditInsurance'> = {
  name: 'referenceConflict',
  spoil: ({ exchange, command, account }) => {
    const earlier = { account: account.id, amount: 7 as Money };
    exchange.credits.set(command.reference, earlier);
  },
  holds: ({ exchange, command }) => exchange.credits.get(command.reference)?.amount === 7,
};

const owedFull: Spoiler<'credit' | 'creditInsurance'> = {
  name: 'capacityReached: owed',
  spoil: ({ exchange }) => {
    exchange.funds.deposits = BigInt(owedMax);
    exchange.funds.withdrawals = 0n;
  },
  holds: ({ exchange, command }) =>
    exchange.funds.deposits === BigInt(owedMax) && command.amount > 0,
};

const referencesFull: Spoiler<'credit' | 'creditInsurance'> = {
  name: 'capacityReached: references',
  spoil: ({ exchange }) => pretendSize(exchange.credits, creditReferencesMax),
  holds: ({ exchange }) => exchange.credits.size >= creditReferencesMax,
};

const full = ['capacityReached: owed', 'capacityReached: references'];

/** A repeated credit is answered even without room; room is checked only for an amount. */
const creditDeviations: readonly Pairs[] = [
  [['referenceConflict'], ['amountInvalid', ...full], 'the reference is looked up first'],
  [['amountInvalid'], ['capacityReached: references'], 'a wrong amount never fits'],
];

const nothingOwed = [
  ['amountInvalid'],
  ['capacityReached: owed'],
  'nothing needs no room',
] as const;

export const creditPrecedence: Precedence<'credit'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'credit',
    address: account.address,
    amount: 1_000_000 as Money,
    reference: 'new',
  }),
  spoilers: [
    late,
    vaultBound,
    referenceConflict,
    amountInvalid,
    owedFull,
    referencesFull,
    accountsFull,
  ],
  deviations: [
    ...creditDeviations,
    [
      ['referenceConflict', 'amountInvalid'],
      ['capacityReached: accounts'],
      'an account is opened only for a credit that is good',
    ],
  ],
  impossible: [nothingOwed],
};

export const correctCreditPrecedence: Precedence<'correctCredit'> = {
  owner: 'carol',
  command: ({ account, exchange }) => ({
    kind: 'correctCredit',
    address: account.address,
    credit: [...exchange.credits].find(([, credit]) => credit.account === account.id)![0],
    amount: 99_000_000_000 as Money,
    reference: 'new',
  }),
  spoilers: [
    late,
    vaultBound,
    {
      name: 'creditUnknown',
      spoil: ({ command }) => {
        command.credit = 'unknown';
      },
      holds: ({ exchange, command }) => !exchange.credits.has(command.credit),
    },
    {
      name: 'referenceConflict',
      spoil: ({ exchange, command, account }) => {
        exchange.credits.set(command.reference, { account: account.id, amount: 7 as Money });
      },
      holds: ({ exchange, command }) => exchange.credits.has(command.reference),
    },
    {
      name: 'amountInvalid',
      spoil: ({ command }) => {
        command.amount = -1 as Money;
      },
      holds: ({ command }) => command.amount < 0,
    },
    {
      name: 'capacityReached: references',
      spoil: ({ exchange }) => pretendSize(exchange.credits, creditReferencesMax),
      holds: ({ exchange }) => exchange.credits.size >= creditReferencesMax,
    },
    {
      name: 'balanceInsufficient',
      spoil: ({ account }) => {
        account.available = 1 as Money;
      },
      holds: ({ account }) => account.available === 1,
    },
  ],
  deviations: [
    [
      ['referenceConflict'],
      ['amountInvalid', 'capacityReached: references', 'balanceInsufficient'],
      'the reference is looked up first',
    ],
    [['amountInvalid'], ['capacityReached: references'], 'a wrong amount never fits'],
    [
      ['creditUnknown'],
      ['amountInvalid', 'capacityReached: references'],
      'what is not there has no amount',
    ],
  ],
};

export const creditInsurancePrecedence: Precedence<'creditInsurance'> = {
  owner: 'carol',
  command: () => ({ kind: 'creditInsurance', amount: 1_000_000 as Money, reference: 'new' }),
  spoilers: [late, vaultBound, referenceConflict, amountInvalid, owedFull, referencesFull],
  deviations: creditDeviations,
  impossible: [nothingOwed],
};
