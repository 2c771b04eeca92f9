// In which order the checks of a changed trigger come.

import { equityOf } from '../../../src/engine/clearing/margin.ts';
import {
  equityPerWaiting,
  lotsMax,
  notionalMax,
  reducingTriggersFree,
} from '../../../src/engine/limits.ts';
import type { MarketTerms } from '../../../src/engine/marketTerms.ts';
import type { Trigger } from '../../../src/engine/trigger.ts';
import type { Lots, Money, Rate, Ticks, Time } from '../../../src/units/units.ts';
import {
  accountUnknown,
  halted,
  late,
  marketUnknown,
  priceless,
  settled,
} from './commonSpoilers.ts';
import { oldFirst, oneSize, oneStatus, settledFirst } from './orderPrecedence.ts';
import type { Precedence, Situation, Spoiler } from './situation.ts';

type Of = Spoiler<'modifyTrigger'>;
type At = Situation<'modifyTrigger'>;

/** The one trigger of bob, which the change is about: a stop that buys. bob is short. */
const changed = ({ account }: At): Trigger =>
  account.triggers.find(({ clientOrderId }) => {
    return clientOrderId === 'waits';
  })!;

const onlyReduces = (s: At): boolean => changed(s).reduceOnly;

function changeTerms({ market }: At, terms: Partial<MarketTerms>): void {
  market.terms = { ...market.terms, ...terms };
}

const orderNotFound: Of = {
  name: 'orderNotFound',
  spoil: ({ command }) => {
    command.order = { clientOrderId: 'never' };
  },
  holds: ({ command }) =>
    'clientOrderId' in command.order && command.order.clientOrderId === 'never',
};

const priceDoubtful: Of = {
  name: 'priceUnavailable: in doubt',
  spoil: ({ market, exchange }) => {
    market.prices.pending = [{ ticks: 600_000 as Ticks, at: exchange.time }] as never;
  },
  holds: (s) => s.market.prices.pending.length > 0 && !onlyReduces(s),
};

const closed: Of = {
  name: 'marketReduceOnly: closed',
  spoil: ({ market }) => {
    market.status = 'CLOSE';
  },
  holds: (s) => s.market.status === 'CLOSE' && !onlyReduces(s),
};

const broken: Of = {
  name: 'marketReduceOnly: breaker',
  spoil: ({ market, exchange }) => {
    market.prices.breakerUntil = (exchange.time + 60_000) as Time;
  },
  holds: (s) => s.market.prices.breakerUntil > s.exchange.time && !onlyReduces(s),
};

const wouldTrigger: Of = {
  name: 'wouldTrigger',
  spoil: (s) => {
    const { mark } = s.market.prices;
    if (s.command.stopTicks !== undefined) s.command.stopTicks = mark;
    else Object.assign(changed(s), { extreme: mark - 100 });
  },
  holds: (s) => {
    const { stopTicks } = s.command;
    const { extreme } = changed(s);
    const { mark } = s.market.prices;
    return stopTicks === undefined ? extreme > 0 && extreme < mark : stopTicks <= mark;
  },
};

/** It trails, from an extreme that the mark has not left. */
const callbackRateInvalid: Of = {
  name: 'callbackRateInvalid',
  spoil: (s) => {
    const { mark } = s.market.prices;
    const trails = { type: 'TRAILING_STOP_MARKET', stopTicks: 0, activationTicks: mark };
    Object.assign(changed(s), { ...trails, callbackRate: 100_000 as Rate });
    s.command.stopTicks = undefined;
    s.command.callbackRate = 1 as Rate;
  },
  holds: ({ command }) => command.callbackRate === 1,
};

const quantityBelowLot: Of = {
  name: 'quantityBelowLot',
  spoil: ({ command }) => {
    command.lots = 0 as Lots;
  },
  holds: ({ command }) => command.lots! < 1,
};

const quantityAboveMax: Of = {
  name: 'quantityAboveMax',
  spoil: ({ command }) => {
    command.lots = (lotsMax + 1) as Lots;
  },
  holds: ({ command }) => command.lots! > lotsMax,
};

const notionalAboveMax: Of = {
  name: 'notionalAboveMax: of the market',
  spoil: (s) => changeTerms(s, { minOrderSize: 1 as Money, maxOrderSize: 1_000_000 as Money }),
  holds: (s) => s.market.terms.maxOrderSize === 1_000_000 && s.command.lots! > 0 && !onlyReduces(s),
};

const uncountable: Of = {
  name: 'notionalAboveMax: of all markets',
  spoil: ({ command }) => {
    command.lots = lotsMax;
  },
  holds: ({ command, market }) => command.lots! * market.prices.mark * market.grain > notionalMax,
};

const notionalBelowMin: Of = {
  name: 'notionalBelowMin',
  spoil: (s) => {
    const minOrderSize = 100_000_000_000 as Money;
    changeTerms(s, { minOrderSize, maxOrderSize: 1_000_000_000_000 as Money });
  },
  holds: (s) =>
    s.market.terms.minOrderSize === 100_000_000_000 &&
    s.command.lots! * s.market.prices.mark * s.market.grain < s.market.terms.minOrderSize &&
    !onlyReduces(s),
};

/** The position is gone, and the trigger waits for another. */
const nothingToReduce: Of = {
  name: 'reduceOnlyRejected',
  spoil: (s) => {
    Object.assign(changed(s), { reduceOnly: true });
    s.account.positions[s.market.id]!.lots = 0 as Lots;
  },
  holds: (s) => onlyReduces(s) && s.account.positions[s.market.id]!.lots === 0,
};

const withoutEquity = ({ exchange, account }: At): void => {
  account.available = (account.available -
    equityOf(exchange, account) +
    equityPerWaiting -
    1) as Money;
};

const equityToOpen: Of = {
  name: 'equityInsufficient: opens',
  spoil: withoutEquity,
  holds: (s) => equityOf(s.exchange, s.account) < equityPerWaiting && !onlyReduces(s),
};

/** As many other triggers wait to reduce as are free. */
const equityToReduce: Of = {
  name: 'equityInsufficient: reduces',
  spoil: (s) => {
    withoutEquity(s);
    Object.assign(changed(s), { reduceOnly: true });
    const waiting = { status: 'NEW', reduceOnly: true } as Trigger;
    for (let free = 0; free < reducingTriggersFree; free += 1) s.account.triggers.push(waiting);
  },
  holds: (s) =>
    equityOf(s.exchange, s.account) < equityPerWaiting &&
    s.account.triggers.length > reducingTriggersFree &&
    s.account.positions[s.market.id]!.lots !== 0 &&
    onlyReduces(s),
};

const restricted = [priceDoubtful, closed, broken].map(({ name }) => name);

export const modifyTriggerPrecedence: Precedence<'modifyTrigger'> = {
  owner: 'bob',
  command: ({ account, market }) => ({
    kind: 'modifyTrigger',
    account: account.id,
    market: market.id,
    order: { clientOrderId: 'waits' },
    lots: 200 as Lots,
    ticks: undefined,
    stopTicks: 610_000 as Ticks,
    callbackRate: undefined,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    orderNotFound,
    settled,
    priceless,
    halted,
    priceDoubtful,
    closed,
    broken,
    wouldTrigger,
    callbackRateInvalid,
    quantityBelowLot,
    quantityAboveMax,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    nothingToReduce,
    equityToOpen,
    equityToReduce,
  ],
  deviations: [
    settledFirst,
    oldFirst,
    [
      ['orderNotFound'],
      ['marketHalted: settled', 'priceUnavailable: none', 'marketHalted: status', ...restricted],
      'which market rules apply depends on the trigger: whether it only reduces',
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
    [['quantityBelowLot'], ['notionalAboveMax: of the market'], 'no quantity is worth nothing'],
    [
      [
        ...restricted,
        'notionalBelowMin',
        'notionalAboveMax: of the market',
        'equityInsufficient: opens',
      ],
      ['reduceOnlyRejected', 'equityInsufficient: reduces'],
      'these do not apply to a trigger that only reduces',
    ],
    [
      ['reduceOnlyRejected'],
      ['equityInsufficient: reduces'],
      'there is a position to close, or there is none',
    ],
  ],
};
