// Reasons that commands of several kinds can earn.

import { accountsMax, ordersMax } from '../../../src/engine/limits.ts';
import type { Market } from '../../../src/engine/market.ts';
import type { Order } from '../../../src/engine/order.ts';
import { directGet } from '../../../src/std/directMap.ts';
import type { AccountId, MarketId, OrderId, Ticks, Time } from '../../../src/units/units.ts';
import {
  bestAsk,
  bestBid,
  type Kind,
  pretendSize,
  type Situation,
  type Spoiler,
} from './situation.ts';

export const late: Spoiler<Kind> = {
  name: 'deadlinePassed',
  spoil: (s) => {
    s.deadline = s.exchange.time - 1;
  },
  holds: (s) => s.deadline !== 0 && s.exchange.time > s.deadline,
};

type OfAccount = Extract<Situation<Kind>['command'], { account: unknown; market: unknown }>['kind'];

export const accountUnknown: Spoiler<
  | OfAccount
  | 'setMarginMode'
  | 'createApiKey'
  | 'requestWithdrawal'
  | 'setReferralCode'
  | 'bindReferral'
  | 'claimReferral'
  | 'armConnection'
  | 'disarmConnection'
> = {
  name: 'accountUnknown',
  spoil: ({ command }) => {
    command.account = 99 as AccountId;
  },
  holds: ({ exchange, command }) => exchange.accounts[command.account] === undefined,
};

export const marketUnknown: Spoiler<OfAccount | 'changeMarket' | 'settleFunding'> = {
  name: 'marketUnknown',
  spoil: ({ command }) => {
    command.market = 99 as MarketId;
  },
  holds: ({ exchange, command }) => exchange.markets[command.market!] === undefined,
};

export const idempotencyConflict: Spoiler<'placeOrder' | 'placeTrigger' | 'requestWithdrawal'> = {
  name: 'idempotencyConflict',
  spoil: ({ account, command, exchange }) => {
    const made = {
      request: 'one',
      kind: 'order',
      order: 1 as OrderId,
      time: exchange.time,
    } as const;
    account.idempotency.set('key', made);
    command.idempotencyKey = 'key';
    command.idempotencyRequest = 'another';
  },
  holds: ({ account, command }) => {
    const made = account.idempotency.get(command.idempotencyKey);
    return made !== undefined && made.request !== command.idempotencyRequest;
  },
};

export const ordersFull: Spoiler<Kind> = {
  name: 'capacityReached: orders',
  spoil: ({ exchange }) => pretendSize(exchange.orders, ordersMax),
  holds: ({ exchange }) => exchange.orders.size >= ordersMax,
};

const stranger = `0x${'9'.repeat(40)}`;

export type Opens = 'credit' | 'login';

/** The command names a wallet that has no account yet. */
export function comeAsStranger({ command }: Situation<Opens>): void {
  command.address = stranger;
}

export const isStranger = ({ exchange, command }: Situation<Opens>): boolean =>
  !exchange.accountByAddress.has(command.address);

/** Every number is taken, and none of a forgotten account has rested. */
export const accountsFull: Spoiler<Opens> = {
  name: 'capacityReached: accounts',
  spoil: (s) => {
    s.exchange.accounts.length = accountsMax;
    comeAsStranger(s);
  },
  holds: (s) => s.exchange.accounts.length >= accountsMax && isStranger(s),
};

const isSettled = ({ dues }: Market): boolean => dues.settledAt !== 0;
type Restricted = 'placeOrder' | 'placeTrigger' | 'modifyOrder';

/** The one order of alice, which a modification is about. */
export const modified = ({ exchange, account }: Situation<Restricted>): Order =>
  directGet(exchange.orders, account.clientOrderIds.get('mine')!)!;

export const onlyReduces = (s: Situation<Restricted>): boolean => {
  const { command } = s;
  if (command.kind === 'modifyOrder') return modified(s).reduceOnly;
  return command.reduceOnly || (command.kind === 'placeTrigger' && command.closePosition);
};

export const settled: Spoiler<Kind> = {
  name: 'marketHalted: settled',
  spoil: ({ market, exchange }) => {
    market.dues.settledAt = exchange.time;
  },
  holds: ({ market }) => isSettled(market),
};

export const priceless: Spoiler<Kind> = {
  name: 'priceUnavailable: none',
  spoil: ({ market }) => {
    market.prices.indexAt = 0 as Time;
  },
  holds: ({ market, exchange }) => exchange.time - market.prices.indexAt > 60_000,
};

export const halted: Spoiler<Kind> = {
  name: 'marketHalted: status',
  spoil: ({ market }) => {
    market.status = 'HALT';
  },
  holds: ({ market }) => market.status === 'HALT',
};

/** A jump of the index waits to be confirmed. */
export const priceDoubtful: Spoiler<Restricted> = {
  name: 'priceUnavailable: in doubt',
  spoil: ({ market, exchange }) => {
    market.prices.pending = [{ ticks: 600_000 as Ticks, at: exchange.time }] as never;
  },
  holds: (s) => s.market.prices.pending.length > 0 && !onlyReduces(s),
};

export const closed: Spoiler<Restricted> = {
  name: 'marketReduceOnly: closed',
  spoil: ({ market }) => {
    market.status = 'CLOSE';
  },
  holds: (s) => s.market.status === 'CLOSE' && !onlyReduces(s),
};

/** A new trigger counts as one that takes (PRC-3b). */
const takes = ({ command, market }: Situation<Restricted>): boolean => {
  if (command.kind === 'placeTrigger' || command.ticks === 0) return true;
  if (command.kind === 'placeOrder' && command.timeInForce === 'IOC') return true;
  return command.side! > 0 ? command.ticks >= bestAsk(market) : command.ticks <= bestBid(market);
};

export const broken: Spoiler<Restricted> = {
  name: 'marketReduceOnly: breaker',
  spoil: ({ command, market, exchange }) => {
    market.prices.breakerUntil = (exchange.time + 60_000) as Time;
    if (command.kind === 'placeTrigger' || command.ticks === 0) return;
    command.ticks = (command.side! > 0 ? bestAsk(market) : bestBid(market)) as Ticks;
  },
  holds: (s) => s.market.prices.breakerUntil > s.exchange.time && !onlyReduces(s) && takes(s),
};
