// In which order the checks of a new and of a changed order come.

import { positionIn } from '../../../src/engine/account.ts';
import { lotsMax, notionalMax, openOrdersPerMarketMax } from '../../../src/engine/limits.ts';
import type { MarketTerms } from '../../../src/engine/market.ts';
import type { Lots, Money, Rate, Ticks } from '../../../src/units/units.ts';
import { orderCommand } from '../../fixtures/orderCommands.ts';
import {
  accountUnknown,
  broken,
  closed,
  halted,
  idempotencyConflict,
  late,
  marketUnknown,
  ordersFull,
  priceDoubtful,
  priceless,
  settled,
} from './commonSpoilers.ts';
import { bestAsk, type Precedence, type Situation, type Spoiler } from './situation.ts';

type Sized = 'placeOrder' | 'placeTrigger' | 'modifyOrder';

/** At its limit, else where a trigger stops, else the mark. */
function priceOf({ command, market }: Situation<Sized>): number {
  const stop = command.kind === 'placeTrigger' ? command.stopTicks : 0;
  return command.ticks || stop || market.prices.mark;
}

const notionalOf = (s: Situation<Sized>): number => priceOf(s) * s.command.lots * s.market.grain;

const closes = ({ command }: Situation<Sized>): boolean =>
  command.kind === 'placeTrigger' && command.closePosition;

const reduces = (s: Situation<Sized>): boolean =>
  closes(s) || (s.command.kind !== 'modifyOrder' && s.command.reduceOnly);

function changeTerms({ market }: Situation<Sized>, terms: Partial<MarketTerms>): void {
  market.terms = { ...market.terms, ...terms };
}

export const quantityBelowLot: Spoiler<Sized> = {
  name: 'quantityBelowLot',
  spoil: ({ command }) => {
    command.lots = 0 as Lots;
  },
  holds: (s) => s.command.lots < 1 && !closes(s),
};

export const quantityAboveMax: Spoiler<Sized> = {
  name: 'quantityAboveMax',
  spoil: ({ command }) => {
    command.lots = (lotsMax + 1) as Lots;
  },
  holds: ({ command }) => command.lots > lotsMax,
};

export const notionalBelowMin: Spoiler<Sized> = {
  name: 'notionalBelowMin',
  spoil: (s) => {
    const minOrderSize = 100_000_000_000 as Money;
    changeTerms(s, { minOrderSize, maxOrderSize: 1_000_000_000_000 as Money });
  },
  holds: (s) => notionalOf(s) < s.market.terms.minOrderSize && !reduces(s),
};

export const notionalAboveMax: Spoiler<Sized> = {
  name: 'notionalAboveMax: of the market',
  spoil: (s) => changeTerms(s, { minOrderSize: 1 as Money, maxOrderSize: 1_000_000 as Money }),
  holds: (s) => notionalOf(s) > s.market.terms.maxOrderSize && !reduces(s),
};

export const uncountable: Spoiler<Sized> = {
  name: 'notionalAboveMax: of all markets',
  spoil: ({ command }) => {
    command.lots = lotsMax;
  },
  holds: (s) => notionalOf(s) > notionalMax,
};

export const clientOrderIdDuplicate: Spoiler<'placeOrder' | 'placeTrigger'> = {
  name: 'clientOrderIdDuplicate',
  spoil: ({ command, account, exchange }) => {
    account.clientOrderIds.set('taken', [...exchange.orders.keys()][0]!);
    command.clientOrderId = 'taken';
  },
  holds: ({ command, account }) => account.clientOrderIds.has(command.clientOrderId),
};

export const reduceOnlyRejected: Spoiler<'placeOrder' | 'placeTrigger'> = {
  name: 'reduceOnlyRejected',
  spoil: ({ command }) => {
    command.reduceOnly = true;
  },
  holds: ({ command, account, market }) =>
    command.reduceOnly && (account.positions[market.id]?.lots ?? 0) === 0,
};

const wouldMatch: Spoiler<'placeOrder'> = {
  name: 'wouldMatch',
  spoil: ({ command, market }) => {
    command.timeInForce = 'GTX';
    command.ticks = bestAsk(market) as Ticks;
  },
  holds: ({ command, market }) =>
    command.type === 'LIMIT' && command.timeInForce === 'GTX' && command.ticks >= bestAsk(market),
};

const openOrdersLimit: Spoiler<'placeOrder'> = {
  name: 'openOrdersLimit',
  spoil: ({ account, market }) => {
    positionIn(account, market.id).orderCount = openOrdersPerMarketMax;
  },
  holds: ({ command, account, market }) =>
    command.type === 'LIMIT' &&
    (account.positions[market.id]?.orderCount ?? 0) >= openOrdersPerMarketMax,
};

const openInterest: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'openInterestCapExceeded',
  spoil: (s) => changeTerms(s, { openInterestCap: 1_000_000 as Money }),
  holds: (s) => s.command.lots > 0 && s.market.terms.openInterestCap < notionalOf(s) && !reduces(s),
};

const flagged: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'marginInsufficient: being liquidated',
  spoil: ({ account }) => {
    account.flagged = true;
  },
  holds: (s) => s.command.lots > 0 && s.account.flagged && !reduces(s),
};

const slippage: Spoiler<'placeOrder'> = {
  name: 'slippageExceeded',
  spoil: ({ command }) => {
    Object.assign(command, { type: 'MARKET', timeInForce: 'IOC', ticks: 0 });
    command.maxSlippage = 0 as Rate;
  },
  holds: ({ command, market }) =>
    command.type === 'MARKET' &&
    command.lots > 0 &&
    command.maxSlippage === 0 &&
    bestAsk(market) !== market.prices.mark,
};

const penniless: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'marginInsufficient: no money',
  spoil: ({ account }) => {
    account.available = 0 as Money;
  },
  // What trades at once is cut to what its money allows (MAR-4), and so never earns this.
  holds: (s) =>
    s.command.lots > 0 &&
    s.account.available === 0 &&
    s.command.ticks > 0 &&
    s.command.ticks < bestAsk(s.market) &&
    !reduces(s),
};

const restricted = [priceDoubtful, closed, broken].map(({ name }) => name);

export const settledFirst = [
  ['marketHalted: settled'],
  ['priceUnavailable: none', 'priceUnavailable: in doubt'],
  'what is settled has no price any more, and its end is the better reason',
] as const;

export const oldFirst = [
  ['marketHalted: status'],
  ['priceUnavailable: in doubt'],
  'a halted market is halted for closing orders too, a doubtful price is not',
] as const;

export const oneStatus = [
  ['marketHalted: status'],
  ['marketReduceOnly: closed'],
  'a market has one status',
] as const;

export const oneSize = [
  ['quantityBelowLot'],
  ['quantityAboveMax', 'notionalAboveMax: of all markets'],
  'an order has one quantity',
] as const;

export const placeOrderPrecedence: Precedence<'placeOrder'> = {
  owner: 'carol',
  command: ({ account, market }) =>
    orderCommand({ account: account.id, market: market.id, side: 1, lots: 100, ticks: 500_000 }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    idempotencyConflict,
    ordersFull,
    settled,
    priceless,
    halted,
    priceDoubtful,
    closed,
    broken,
    quantityBelowLot,
    quantityAboveMax,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    clientOrderIdDuplicate,
    reduceOnlyRejected,
    wouldMatch,
    openOrdersLimit,
    openInterest,
    flagged,
    slippage,
    penniless,
  ],
  deviations: [
    settledFirst,
    oldFirst,
    [
      ['marginInsufficient: being liquidated'],
      ['slippageExceeded'],
      'the flag is known before the trial, the slippage only after it',
    ],
  ],
  impossible: [
    oneStatus,
    oneSize,
    [
      ['notionalAboveMax: of the market', 'notionalAboveMax: of all markets', 'quantityAboveMax'],
      ['notionalBelowMin'],
      'a market has a minimum that its maximum allows',
    ],
    [
      [...restricted, 'notionalBelowMin', 'notionalAboveMax: of the market'],
      ['reduceOnlyRejected'],
      'these do not apply to an order that only reduces',
    ],
    [
      ['reduceOnlyRejected'],
      [
        'openInterestCapExceeded',
        'marginInsufficient: being liquidated',
        'marginInsufficient: no money',
      ],
      'an order that only reduces opens nothing',
    ],
    [
      ['quantityBelowLot'],
      [
        'notionalAboveMax: of the market',
        'openInterestCapExceeded',
        'marginInsufficient: being liquidated',
        'slippageExceeded',
        'marginInsufficient: no money',
      ],
      'no quantity is worth nothing, opens nothing and trades nothing',
    ],
    [['wouldMatch', 'openOrdersLimit'], ['slippageExceeded'], 'a MARKET order never rests'],
    [
      ['slippageExceeded', 'wouldMatch'],
      ['marginInsufficient: no money'],
      'what trades at once is cut to what its money allows',
    ],
  ],
};

const orderNotFound: Spoiler<'modifyOrder'> = {
  name: 'orderNotFound',
  spoil: ({ command }) => {
    command.order = { clientOrderId: 'never' };
  },
  holds: ({ command }) =>
    'clientOrderId' in command.order && command.order.clientOrderId === 'never',
};

const sideMismatch: Spoiler<'modifyOrder'> = {
  name: 'sideMismatch',
  spoil: ({ command }) => {
    command.side = -1;
  },
  holds: ({ command }) => command.side === -1,
};

const belowFilled: Spoiler<'modifyOrder'> = {
  name: 'quantityBelowFilled',
  spoil: ({ command }) => {
    command.lots = 50 as Lots;
  },
  holds: ({ command }) => command.lots < 100,
};

export const modifyOrderPrecedence: Precedence<'modifyOrder'> = {
  owner: 'alice',
  command: ({ account, market }) => ({
    kind: 'modifyOrder',
    account: account.id,
    market: market.id,
    order: { clientOrderId: 'mine' },
    side: 1,
    lots: 300 as Lots,
    ticks: 500_000 as Ticks,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    orderNotFound,
    settled,
    priceless,
    halted,
    sideMismatch,
    belowFilled,
    quantityAboveMax,
    priceDoubtful,
    closed,
    broken,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    openInterest,
    flagged,
    penniless,
  ],
  deviations: [
    settledFirst,
    oldFirst,
    [
      ['orderNotFound'],
      [
        'marketHalted: settled',
        'priceUnavailable: none',
        'marketHalted: status',
        'priceUnavailable: in doubt',
        'marketReduceOnly: closed',
        'marketReduceOnly: breaker',
      ],
      'which market rules apply depends on the order: what it opens',
    ],
    [
      ['sideMismatch', 'quantityBelowFilled', 'quantityAboveMax'],
      ['priceUnavailable: in doubt', 'marketReduceOnly: closed', 'marketReduceOnly: breaker'],
      'whether the order opens anything depends on its quantity',
    ],
  ],
  impossible: [
    oneStatus,
    [
      ['quantityBelowFilled'],
      ['quantityAboveMax', 'notionalAboveMax: of all markets'],
      'an order has one quantity',
    ],
    [
      ['notionalAboveMax: of the market', 'notionalAboveMax: of all markets', 'quantityAboveMax'],
      ['notionalBelowMin'],
      'a market has a minimum that its maximum allows',
    ],
  ],
};
