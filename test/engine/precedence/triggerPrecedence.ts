// In which order the checks of a new trigger come.

import { triggersMax, triggersPerAccountMax } from '../../../src/engine/limits.ts';
import type { Lots, Rate, Ticks, Time } from '../../../src/units/units.ts';
import { stopCommand } from '../../fixtures/orderCommands.ts';
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
import {
  fillTimers,
  hasFullTimers,
  type Precedence,
  pretendSize,
  type Spoiler,
} from './situation.ts';

type Of = Spoiler<'placeTrigger'>;

const triggersFull: Of = {
  name: 'capacityReached: triggers',
  spoil: ({ exchange }) => pretendSize(exchange.triggers, triggersMax),
  holds: ({ exchange }) => exchange.triggers.size >= triggersMax,
};

const timersFull: Of = {
  name: 'capacityReached: timers',
  spoil: ({ exchange, command }) => {
    fillTimers(exchange);
    command.goodTillDate ||= (exchange.time + 600_000) as Time;
  },
  holds: ({ exchange, command }) => hasFullTimers(exchange) && command.goodTillDate > 0,
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

const goodTillDateInvalid: Of = {
  name: 'goodTillDateInvalid',
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
    ordersFull,
    timersFull,
    settled,
    priceless,
    halted,
    priceDoubtful,
    closed,
    broken,
    wouldTrigger,
    goodTillDateInvalid,
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
        'priceUnavailable: in doubt',
        'marketReduceOnly: closed',
        'marketReduceOnly: breaker',
        'notionalBelowMin',
        'notionalAboveMax: of the market',
      ],
      ['reduceOnlyRejected'],
      'these do not apply to a trigger that only reduces',
    ],
    [
      [
        'priceUnavailable: in doubt',
        'marketReduceOnly: closed',
        'marketReduceOnly: breaker',
        ...quantities,
      ],
      ['reduceOnlyRejected: nothing to close'],
      'these do not apply to a trigger that closes the whole position',
    ],
    [
      ['callbackRateInvalid', 'reduceOnlyRejected'],
      ['reduceOnlyRejected: nothing to close'],
      'the gateway refuses these terms together',
    ],
  ],
};
