// In which order the checks of take-profits and stop-losses come: of an order, a trigger, a
// modified order and a position (ATT-1, ATT-6, ATT-9).

import type { AttachedTerms, LegTerms } from '../../../src/engine/command.ts';
import {
  equityPerWaiting,
  reducingTriggersFree,
  ticksMax,
  triggersMax,
  triggersPerAccountMax,
} from '../../../src/engine/limits.ts';
import type { Trigger } from '../../../src/engine/trigger.ts';
import type { Money, Ticks } from '../../../src/units/units.ts';
import {
  accountUnknown,
  halted,
  late,
  marketUnknown,
  onlyReduces,
  priceless,
  settled,
} from './commonSpoilers.ts';
import { type Precedence, pretendSize, type Situation, type Spoiler } from './situation.ts';

type Parent = 'placeOrder' | 'placeTrigger';

const attach = ({ command }: Situation<Parent>, terms: Partial<AttachedTerms>): void => {
  command.attached = { takeProfit: undefined, stopLoss: undefined, ...command.attached, ...terms };
};

const leg = (stopTicks: number): LegTerms => ({ stopTicks: stopTicks as Ticks, ticks: 0 as Ticks });

const buys = (s: Situation<Parent>): boolean => s.command.side > 0 && !onlyReduces(s);

/** The take-profit of a BUY below everything. */
export const lowTakeProfit: Spoiler<Parent> = {
  name: 'takeProfitWrongSide',
  spoil: (s) => attach(s, { takeProfit: leg(1) }),
  holds: (s) => s.command.attached?.takeProfit?.stopTicks === 1 && buys(s),
};

/** The stop-loss of a BUY above everything. */
export const highStopLoss: Spoiler<Parent> = {
  name: 'stopLossWrongSide',
  spoil: (s) => attach(s, { stopLoss: leg(ticksMax) }),
  holds: (s) => s.command.attached?.stopLoss?.stopTicks === ticksMax && buys(s),
};

/** Its leg is right; there is no place for it. */
export const legsLimit: Spoiler<'placeOrder'> = {
  name: 'triggersLimit',
  spoil: (s) => {
    attach(s, { stopLoss: s.command.attached?.stopLoss ?? leg(s.command.side > 0 ? 2 : ticksMax) });
    s.account.waitingTriggers = triggersPerAccountMax;
  },
  holds: (s) =>
    s.command.attached !== undefined &&
    s.account.waitingTriggers >= triggersPerAccountMax &&
    !onlyReduces(s),
};

export const legsFull: Spoiler<'placeOrder'> = {
  name: 'capacityReached: triggers',
  spoil: (s) => {
    attach(s, { stopLoss: s.command.attached?.stopLoss ?? leg(s.command.side > 0 ? 2 : ticksMax) });
    pretendSize(s.exchange.triggers, triggersMax);
  },
  holds: (s) =>
    s.command.attached !== undefined && s.exchange.triggers.size >= triggersMax && !onlyReduces(s),
};

type Of = Spoiler<'setProtection'>;

const triggersFull: Of = {
  name: 'capacityReached: triggers',
  spoil: ({ exchange }) => pretendSize(exchange.triggers, triggersMax),
  holds: ({ exchange }) => exchange.triggers.size >= triggersMax,
};

const takeProfitWrongSide: Of = {
  name: 'takeProfitWrongSide',
  spoil: ({ command, market }) => {
    command.takeProfit = { stopTicks: market.prices.mark, ticks: 0 as Ticks };
  },
  holds: ({ account, command, market }) =>
    account.positions.length > 0 && command.takeProfit?.stopTicks === market.prices.mark,
};

const stopLossWrongSide: Of = {
  name: 'stopLossWrongSide',
  spoil: ({ command, market }) => {
    command.stopLoss = { stopTicks: market.prices.mark, ticks: 0 as Ticks };
  },
  holds: ({ account, command, market }) =>
    account.positions.length > 0 && command.stopLoss?.stopTicks === market.prices.mark,
};

const withoutPosition: Of = {
  name: 'reduceOnlyRejected',
  spoil: ({ account }) => {
    account.positions.length = 0;
  },
  holds: ({ account }) => account.positions.length === 0,
};

const triggersLimit: Of = {
  name: 'triggersLimit',
  spoil: ({ account }) => {
    account.waitingTriggers = triggersPerAccountMax;
  },
  holds: ({ account }) => account.waitingTriggers >= triggersPerAccountMax,
};

/** As many triggers wait as are free. */
const withoutEquity: Of = {
  name: 'equityInsufficient',
  spoil: ({ account }) => {
    account.available = (-account.collateral + equityPerWaiting - 1) as Money;
    const waiting = { status: 'NEW', reduceOnly: true } as Trigger;
    for (let free = 0; free < reducingTriggersFree; free += 1) account.triggers.push(waiting);
  },
  holds: ({ account }) => account.triggers.length >= reducingTriggersFree,
};

export const setProtectionPrecedence: Precedence<'setProtection'> = {
  owner: 'dave',
  command: ({ account, market }) => ({
    kind: 'setProtection',
    account: account.id,
    market: market.id,
    takeProfit: { stopTicks: 600_000 as Ticks, ticks: 0 as Ticks },
    stopLoss: undefined,
  }),
  spoilers: [
    late,
    accountUnknown,
    marketUnknown,
    triggersFull,
    settled,
    priceless,
    halted,
    withoutPosition,
    takeProfitWrongSide,
    stopLossWrongSide,
    triggersLimit,
    withoutEquity,
  ],
  deviations: [
    [
      ['marketHalted: settled'],
      ['priceUnavailable: none'],
      'what is settled has no price any more',
    ],
  ],
  impossible: [
    [
      ['reduceOnlyRejected'],
      ['takeProfitWrongSide', 'stopLossWrongSide'],
      'without a position no leg has a side',
    ],
  ],
};
