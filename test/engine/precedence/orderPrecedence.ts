// In which order the checks of a new and of a changed order come.

import { positionIn } from '../../../src/engine/account.ts';
import { lotsMax, notionalMax, openOrdersPerMarketMax } from '../../../src/engine/limits.ts';
import type { MarketTerms } from '../../../src/engine/marketTerms.ts';
import { directValues } from '../../../src/std/directMap.ts';
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
  modified,
  onlyReduces,
  ordersFull,
  priceDoubtful,
  priceless,
  settled,
} from './commonSpoilers.ts';
import { highStopLoss, legsFull, legsLimit, lowTakeProfit } from './legPrecedence.ts';
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
  holds: (s) => notionalOf(s) < s.market.terms.minOrderSize && !onlyReduces(s),
};

export const notionalAboveMax: Spoiler<Sized> = {
  name: 'notionalAboveMax: of the market',
  spoil: (s) => changeTerms(s, { minOrderSize: 1 as Money, maxOrderSize: 1_000_000 as Money }),
  holds: (s) => notionalOf(s) > s.market.terms.maxOrderSize && !onlyReduces(s),
};

export const uncountable: Spoiler<Sized> = {
  name: 'notionalAboveMax: of all markets',
  spoil: ({ command }) => {
    command.lots = lotsMax;
  },
  holds: (s) => notionalOf(s) > notionalMax,
};

/** The mark has fallen below the price (PRC-6). */
const aboveBand: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'priceAboveBand',
  spoil: ({ market }) => {
    market.prices.mark = 400_000 as Ticks;
  },
  holds: ({ command, market }) =>
    command.side! > 0 && command.ticks > 0 && command.ticks > market.prices.mark * 1.05,
};

const belowBand: Spoiler<'placeOrder'> = {
  name: 'priceBelowBand',
  spoil: ({ command, market }) => {
    command.side = -1;
    market.prices.mark = 600_000 as Ticks;
  },
  holds: ({ command, market }) =>
    command.side < 0 && command.ticks > 0 && command.ticks < market.prices.mark * 0.95,
};

export const clientOrderIdDuplicate: Spoiler<'placeOrder' | 'placeTrigger'> = {
  name: 'clientOrderIdDuplicate',
  spoil: ({ command, account, exchange }) => {
    account.clientOrderIds.set('taken', directValues(exchange.orders)[0]!.id);
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
  spoil: ({ command, account, market }) => {
    positionIn(account, market.id).orderCount = openOrdersPerMarketMax;
    if (command.timeInForce === 'IOC') command.timeInForce = 'GTC';
  },
  holds: ({ command, account, market }) =>
    command.type === 'LIMIT' &&
    command.timeInForce !== 'IOC' &&
    (account.positions[market.id]?.orderCount ?? 0) >= openOrdersPerMarketMax,
};

const openInterest: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'openInterestCapExceeded',
  spoil: (s) => changeTerms(s, { openInterestCap: 1_000_000 as Money }),
  holds: (s) =>
    s.command.lots > 0 && s.market.terms.openInterestCap < notionalOf(s) && !onlyReduces(s),
};

const positionLimit: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'positionLimitExceeded',
  spoil: (s) => changeTerms(s, { accountShareMax: 1 as Rate }),
  holds: (s) =>
    s.command.lots > 0 &&
    s.market.terms.accountShareMax === 1 &&
    notionalOf(s) > 0 &&
    !onlyReduces(s),
};

/** Its leverage is 20; behind 1 USDT of the side, 2 is allowed. */
const aboveBracket: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'leverageAboveBracket',
  spoil: (s) => {
    const { maintenanceMarginRate: rate, openInterestCap: upTo } = s.market.terms;
    const brackets = [
      { upTo: 1_000_000 as Money, rate },
      { upTo, rate: 25_000_000 as Rate },
    ];
    changeTerms(s, { brackets });
  },
  holds: (s) => s.command.lots > 0 && s.market.terms.brackets.length > 1 && !onlyReduces(s),
};

const flagged: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'marginInsufficient: being liquidated',
  spoil: ({ account }) => {
    account.flagged = true;
  },
  holds: (s) => s.command.lots > 0 && s.account.flagged && !onlyReduces(s),
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

const opens = (s: Situation<'placeOrder' | 'modifyOrder'>): boolean =>
  s.command.lots > 0 && !onlyReduces(s);

/** At a price that would rest; a MARKET order has none. */
const rests = ({ command, market }: Situation<'placeOrder' | 'modifyOrder'>): boolean =>
  command.ticks > 0 && command.ticks < bestAsk(market);

/** An IOC that meets no other order needs no margin: what refuses it is that equity is missing. */
const withoutEquity: Spoiler<'placeOrder'> = {
  name: 'marginInsufficient: no equity',
  spoil: ({ account, command }) => {
    account.available = 0 as Money;
    if (command.timeInForce === 'GTC') command.timeInForce = 'IOC';
  },
  holds: (s) => s.account.available === 0 && opens(s),
};

/** What trades at once is cut to what its money allows (MAR-4): here to nothing (MAR-4a). */
const fillsNothing: Spoiler<'placeOrder'> = {
  name: 'marginInsufficient: fills nothing',
  spoil: ({ account, command, market }) => {
    account.available = 1 as Money;
    if (command.type === 'LIMIT') command.ticks = bestAsk(market) as Ticks;
  },
  holds: (s) => s.account.available === 1 && opens(s) && !rests(s),
};

const cannotRest: Spoiler<'placeOrder' | 'modifyOrder'> = {
  name: 'marginInsufficient: cannot rest',
  spoil: ({ account }) => {
    account.available = 1 as Money;
  },
  holds: (s) => s.account.available === 1 && opens(s) && rests(s),
};

const withoutMargin = [
  'marginInsufficient: being liquidated',
  'marginInsufficient: no equity',
  'marginInsufficient: fills nothing',
  'marginInsufficient: cannot rest',
];

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

const whatRestsMayOpen = [
  ['marketReduceOnly: breaker'],
  ['marginInsufficient: cannot rest'],
  'while the breaker stands, what rests may open',
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
    legsFull,
    settled,
    priceless,
    halted,
    priceDoubtful,
    closed,
    broken,
    lowTakeProfit,
    highStopLoss,
    quantityBelowLot,
    quantityAboveMax,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    aboveBand,
    belowBand,
    clientOrderIdDuplicate,
    reduceOnlyRejected,
    wouldMatch,
    openOrdersLimit,
    legsLimit,
    openInterest,
    positionLimit,
    aboveBracket,
    flagged,
    withoutEquity,
    fillsNothing,
    slippage,
    cannotRest,
  ],
  deviations: [
    settledFirst,
    oldFirst,
    [
      ['marginInsufficient: being liquidated', 'marginInsufficient: no equity'],
      ['slippageExceeded'],
      'flag and equity are known before the trial, the slippage only after it',
    ],
    [
      ['marginInsufficient: fills nothing'],
      ['slippageExceeded'],
      'an order that fills nothing has no average price',
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
        'positionLimitExceeded',
        'leverageAboveBracket',
        ...withoutMargin,
      ],
      'an order that only reduces opens nothing',
    ],
    [
      ['quantityBelowLot'],
      [
        'notionalAboveMax: of the market',
        'openInterestCapExceeded',
        'positionLimitExceeded',
        'leverageAboveBracket',
        'slippageExceeded',
        ...withoutMargin,
      ],
      'no quantity is worth nothing, opens nothing and trades nothing',
    ],
    [['wouldMatch', 'openOrdersLimit'], ['slippageExceeded'], 'a MARKET order never rests'],
    [['priceAboveBand', 'priceBelowBand'], ['slippageExceeded'], 'a MARKET order has no price'],
    [['priceAboveBand'], ['priceBelowBand'], 'an order has one side'],
    [
      ['takeProfitWrongSide', 'stopLossWrongSide'],
      ['priceBelowBand'],
      'the legs are those of an order that buys',
    ],
    [
      ['capacityReached: triggers', 'takeProfitWrongSide', 'stopLossWrongSide', 'triggersLimit'],
      ['reduceOnlyRejected'],
      'an order that only reduces has no legs',
    ],
    whatRestsMayOpen,
    [
      ['slippageExceeded', 'wouldMatch', 'marginInsufficient: fills nothing'],
      ['marginInsufficient: cannot rest'],
      'what trades at once is cut to what its money allows',
    ],
    [
      ['marginInsufficient: no equity'],
      ['marginInsufficient: fills nothing', 'marginInsufficient: cannot rest'],
      'an account has one balance',
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
  holds: (s) => s.command.lots < modified(s).filled,
};

/** For an order that has not traded yet; otherwise it would be below the filled quantity. */
const unfilledBelowLot: Spoiler<'modifyOrder'> = {
  name: 'quantityBelowLot',
  spoil: (s) => {
    modified(s).filled = 0 as Lots;
    s.command.lots = 0 as Lots;
  },
  holds: (s) => s.command.lots < 1 && modified(s).filled === 0,
};

/** alice is long by the lots that the order has bought. */
const nothingToReduce: Spoiler<'modifyOrder'> = {
  name: 'reduceOnlyRejected',
  spoil: (s) => {
    Object.assign(modified(s), { reduceOnly: true });
  },
  holds: (s) => modified(s).reduceOnly,
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
    unfilledBelowLot,
    quantityAboveMax,
    priceDoubtful,
    closed,
    broken,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    aboveBand,
    nothingToReduce,
    openInterest,
    positionLimit,
    aboveBracket,
    flagged,
    cannotRest,
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
      ['sideMismatch', 'quantityBelowFilled', 'quantityBelowLot', 'quantityAboveMax'],
      ['priceUnavailable: in doubt', 'marketReduceOnly: closed', 'marketReduceOnly: breaker'],
      'whether the order opens anything depends on its quantity',
    ],
  ],
  impossible: [
    oneStatus,
    oneSize,
    whatRestsMayOpen,
    [['sideMismatch'], ['priceAboveBand'], 'the side of the order decides which price is too far'],
    [
      ['quantityBelowFilled'],
      ['quantityBelowLot', 'quantityAboveMax', 'notionalAboveMax: of all markets'],
      'an order has one quantity',
    ],
    [
      ['quantityBelowLot'],
      [
        'notionalAboveMax: of the market',
        'openInterestCapExceeded',
        'positionLimitExceeded',
        'leverageAboveBracket',
        'marginInsufficient: being liquidated',
        'marginInsufficient: cannot rest',
      ],
      'no quantity is worth nothing and opens nothing',
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
        'positionLimitExceeded',
        'leverageAboveBracket',
        'marginInsufficient: being liquidated',
        'marginInsufficient: cannot rest',
      ],
      'an order that only reduces opens nothing',
    ],
    [
      ['notionalAboveMax: of the market', 'notionalAboveMax: of all markets', 'quantityAboveMax'],
      ['notionalBelowMin'],
      'a market has a minimum that its maximum allows',
    ],
  ],
};
