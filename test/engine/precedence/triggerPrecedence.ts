// In which order the checks of a new trigger come.

import { positionIn } from '../../../src/engine/account.ts';
import {
  equityPerWaiting,
  goodTillMsMax,
  goodTillTimersMax,
  reducingTriggersFree,
  triggersMax,
  triggersPerAccountMax,
  triggersReducingReserve,
} from '../../../src/engine/limits.ts';
import type { Trigger } from '../../../src/engine/trigger.ts';
import type { Lots, Money, Rate, Ticks, Time } from '../../../src/units/units.ts';
import { stopCommand } from '../../fixtures/orderCommands.ts';
import {
  accountUnknown,
  broken,
  closed,
  halted,
  idempotencyConflict,
  late,
  marketUnknown,
  onlyReduces,
  ordersFull,
  priceDoubtful,
  priceless,
  settled,
} from './commonSpoilers.ts';
import { highStopLoss, lowTakeProfit } from './legPrecedence.ts';
import {
  clientOrderIdDuplicate,
  notionalAboveMax,
  notionalBelowMin,
  oldFirst,
  oneSize,
  oneStatus,
  quantityAboveMax,
  quantityBelowLot,
  reduceOnlyRejected,
  settledFirst,
  uncountable,
} from './orderPrecedence.ts';
import { type Precedence, pretendSize, type Spoiler } from './situation.ts';

type Of = Spoiler<'placeTrigger'>;

const triggersFull: Of = {
  name: 'capacityReached: triggers',
  spoil: ({ exchange }) => pretendSize(exchange.triggers, triggersMax),
  holds: ({ exchange }) => exchange.triggers.size >= triggersMax,
};

/** What room is left is for triggers that only reduce. */
const reserveReached: Of = {
  name: 'capacityReached: triggers that open',
  spoil: ({ exchange }) => pretendSize(exchange.triggers, triggersMax - triggersReducingReserve),
  holds: (s) =>
    s.exchange.triggers.size === triggersMax - triggersReducingReserve && !onlyReduces(s),
};

const datesFull: Of = {
  name: 'capacityReached: good-till-dates',
  spoil: ({ exchange, command }) => {
    exchange.timers.counts.goodTill = goodTillTimersMax;
    command.goodTillDate ||= (exchange.time + 600_000) as Time;
  },
  holds: ({ exchange, command }) =>
    exchange.timers.counts.goodTill >= goodTillTimersMax && command.goodTillDate > 0,
};

const wouldTrigger: Of = {
  name: 'wouldTrigger',
  spoil: ({ command, market }) => {
    const trails = command.type === 'TRAILING_STOP_MARKET';
    command[trails ? 'activationTicks' : 'stopTicks'] = market.prices.mark;
  },
  holds: ({ command, market }) =>
    (command.type === 'TRAILING_STOP_MARKET' ? command.activationTicks : command.stopTicks) ===
    market.prices.mark,
};

const goodTillDateFar: Of = {
  name: 'goodTillDateInvalid: too far',
  spoil: ({ command, exchange }) => {
    command.goodTillDate = (exchange.time + goodTillMsMax + 1) as Time;
  },
  holds: ({ command, exchange }) => command.goodTillDate > exchange.time + goodTillMsMax,
};

const goodTillDateNear: Of = {
  name: 'goodTillDateInvalid: too near',
  spoil: ({ command, exchange }) => {
    command.goodTillDate = (exchange.time + 599_999) as Time;
  },
  holds: ({ command, exchange }) =>
    command.goodTillDate > 0 && command.goodTillDate < exchange.time + 600_000,
};

const callbackRateInvalid: Of = {
  name: 'callbackRateInvalid',
  spoil: ({ command }) => {
    Object.assign(command, { type: 'TRAILING_STOP_MARKET', stopTicks: 0, callbackRate: 1 });
  },
  holds: ({ command }) =>
    command.type === 'TRAILING_STOP_MARKET' && command.callbackRate < (100_000 as Rate),
};

/** Of the whole position, which there is not. */
const nothingToClose: Of = {
  name: 'reduceOnlyRejected: nothing to close',
  spoil: ({ command }) => {
    Object.assign(command, { closePosition: true, lots: 0 as Lots });
  },
  holds: ({ command, account, market }) =>
    command.closePosition &&
    command.lots === 0 &&
    !command.reduceOnly &&
    command.type === 'STOP_MARKET' &&
    (account.positions[market.id]?.lots ?? 0) === 0,
};

const triggersLimit: Of = {
  name: 'triggersLimit',
  spoil: ({ account }) => {
    account.waitingTriggers = triggersPerAccountMax;
  },
  holds: ({ account }) => account.waitingTriggers >= triggersPerAccountMax,
};

const equityToOpen: Of = {
  name: 'equityInsufficient: opens',
  spoil: ({ account }) => {
    account.available = (equityPerWaiting - 1) as Money;
  },
  holds: (s) => s.account.available < equityPerWaiting && !onlyReduces(s),
};

/** There is a position to close, and as many triggers wait for that as are free. */
const equityToReduce: Of = {
  name: 'equityInsufficient: reduces',
  spoil: ({ account, market, command }) => {
    command.reduceOnly = true;
    positionIn(account, market.id).lots = -100 as Lots;
    account.available = (equityPerWaiting - 1) as Money;
    const waiting = { status: 'NEW', reduceOnly: true } as Trigger;
    for (let free = 0; free < reducingTriggersFree; free += 1) account.triggers.push(waiting);
  },
  holds: (s) =>
    s.account.available < equityPerWaiting &&
    s.account.triggers.length >= reducingTriggersFree &&
    (s.account.positions[s.market.id]?.lots ?? 0) < 0 &&
    onlyReduces(s),
};

const restricted = [
  'priceUnavailable: in doubt',
  'marketReduceOnly: closed',
  'marketReduceOnly: breaker',
];

const quantities = [
  'quantityBelowLot',
  'quantityAboveMax',
  'notionalAboveMax: of the market',
  'notionalAboveMax: of all markets',
  'notionalBelowMin',
];

export const placeTriggerPrecedence: Precedence<'placeTrigger'> = {
  owner: 'carol',
  command: ({ account, market }) => ({
    ...stopCommand({ account: account.id, market: market.id, side: 1, lots: 100, stopTicks: 1 }),
    stopTicks: 510_000 as Ticks,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    idempotencyConflict,
    triggersFull,
    reserveReached,
    ordersFull,
    datesFull,
    settled,
    priceless,
    halted,
    priceDoubtful,
    closed,
    broken,
    wouldTrigger,
    lowTakeProfit,
    highStopLoss,
    goodTillDateNear,
    goodTillDateFar,
    callbackRateInvalid,
    quantityBelowLot,
    quantityAboveMax,
    notionalAboveMax,
    uncountable,
    notionalBelowMin,
    clientOrderIdDuplicate,
    reduceOnlyRejected,
    nothingToClose,
    triggersLimit,
    equityToOpen,
    equityToReduce,
  ],
  deviations: [settledFirst, oldFirst],
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
        'capacityReached: triggers that open',
        'notionalBelowMin',
        'notionalAboveMax: of the market',
        'equityInsufficient: opens',
      ],
      ['reduceOnlyRejected', 'equityInsufficient: reduces'],
      'these do not apply to a trigger that only reduces',
    ],
    [
      [
        ...restricted,
        ...quantities,
        'capacityReached: triggers that open',
        'equityInsufficient: opens',
      ],
      ['reduceOnlyRejected: nothing to close'],
      'these do not apply to a trigger that closes the whole position',
    ],
    [
      ['callbackRateInvalid', 'reduceOnlyRejected'],
      ['reduceOnlyRejected: nothing to close'],
      'the gateway refuses these terms together',
    ],
    [
      ['capacityReached: triggers'],
      ['capacityReached: triggers that open'],
      'the deployment has one number of triggers',
    ],
    [
      ['takeProfitWrongSide', 'stopLossWrongSide'],
      ['reduceOnlyRejected', 'reduceOnlyRejected: nothing to close', 'equityInsufficient: reduces'],
      'a trigger that only reduces has no legs',
    ],
    [['goodTillDateInvalid: too near'], ['goodTillDateInvalid: too far'], 'a trigger has one date'],
    [
      ['reduceOnlyRejected', 'reduceOnlyRejected: nothing to close'],
      ['equityInsufficient: reduces'],
      'there is a position to close, or there is none',
    ],
  ],
};
