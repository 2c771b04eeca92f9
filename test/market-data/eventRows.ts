// Events like those of the engine, for tests of the views.

import type { Event } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { Fill } from '../../src/engine/fill.ts';
import type { Order } from '../../src/engine/order.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import type { Trigger } from '../../src/engine/trigger.ts';
import type { TriggerStatus } from '../../src/engine/triggerTypes.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Rate,
  Ticks,
  Time,
} from '../../src/units/units.ts';

/** What the views read of an exchange: its time and each market's contract multiplier. */
export const exchangeAt = (time: number): Exchange =>
  ({ time: time as Time, markets: [{ grain: 10 }, { grain: 3 }, { grain: 1 }] }) as Exchange;

const fillOf = (account: number, order: number): Fill => ({
  account: account as AccountId,
  order: order as OrderId,
  pnl: 0 as Money,
  fee: 0 as Money,
  balance: 0 as Money,
  position: 0 as Lots,
});

type Close = {
  readonly id: number;
  readonly market?: number;
  readonly side?: Side;
  readonly lots?: number;
};

const placeOf = ({ id, market = 0, side = -1, lots = 7 }: Close) => ({
  id: id as OrderId,
  market: market as MarketId,
  tradeId: 1,
  ticks: 900 as Ticks,
  lots: lots as Lots,
  side,
});

export const takenOver = (account: number, close: Close): Event => ({
  kind: 'takenOver',
  ...placeOf(close),
  account: fillOf(account, close.id),
  fund: fillOf(0, close.id),
});

export function deleveraged(
  bankrupt: number,
  counterparty: number,
  close: Close & { readonly cause?: 'deleveraging' | 'fund_reduction' },
): Event {
  const { cause = 'deleveraging', id } = close;
  const rank = { unrealized: 5 as Money, notional: 6 as Money, entry: 1 as Money };
  return {
    kind: 'deleveraged',
    cause,
    ...placeOf(close),
    mark: 910 as Ticks,
    marginStatus: { equity: 1 as Money, maintenance: 2 as Money },
    bankrupt: fillOf(bankrupt, id),
    counterparty: fillOf(counterparty, id),
    rank: { ...rank, equity: 4 as Money },
  };
}

/** A whole record, so that a snapshot of it can be compared. */
export function orderOf(id: number, account: number, changes: Partial<Order> = {}): Order {
  return {
    id: id as OrderId,
    account: account as AccountId,
    market: 0 as MarketId,
    side: -1,
    type: 'LIMIT',
    timeInForce: 'IOC',
    reduceOnly: true,
    selfTradeMode: 'NONE',
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    origin: 'account',
    trigger: null,
    legs: null,
    clientOrderId: '',
    createdAt: (1000 + id) as Time,
    markAtCreation: 910 as Ticks,
    ticks: 890 as Ticks,
    lots: 20 as Lots,
    leverage: 5,
    status: 'CANCELED',
    cancelReason: 'LIQUIDATION',
    updatedAt: (1000 + id) as Time,
    open: 0 as Lots,
    filled: 12 as Lots,
    filledNotional: 107_000 as Money,
    cover: 0 as Lots,
    freeze: 0 as Money,
    uncovered: 0 as Money,
    priority: id,
    level: null,
    previous: null,
    next: null,
    position: null,
    older: null,
    newer: null,
    epoch: 0,
    ...changes,
  };
}

export const orderEnded = (id: number, account: number, changes: Partial<Order> = {}): Event => ({
  kind: 'orderEnded',
  order: orderOf(id, account, changes),
});

export function triggerEnded(
  id: number,
  account: number,
  changes: Partial<Trigger> & { readonly status?: TriggerStatus } = {},
): Event {
  const trigger: Trigger = {
    id: id as OrderId,
    account: account as AccountId,
    market: 0 as MarketId,
    route: 'algo',
    side: 1,
    type: 'STOP_MARKET',
    timeInForce: 'GTC',
    lots: 5 as Lots,
    ticks: 0 as Ticks,
    reduceOnly: false,
    closePosition: false,
    selfTradeMode: 'EXPIRE_MAKER',
    workingType: 'MARK_PRICE',
    priceProtect: false,
    clientOrderId: '',
    goodTillDate: 0 as Time,
    createdAt: (1000 + id) as Time,
    markAtCreation: 900 as Ticks,
    pair: null,
    legs: null,
    callbackRate: 0 as Rate,
    activationTicks: 0 as Ticks,
    stopTicks: 950 as Ticks,
    extreme: 0 as Ticks,
    block: null,
    status: 'CANCELED',
    failure: '',
    triggeredAt: 0 as Time,
    order: 0 as OrderId,
    updatedAt: 2000 as Time,
    priority: id,
    ...changes,
  };
  return { kind: 'triggerEnded', trigger };
}

export const withdrawalRequested = (id: number, account: number, amount = 50): Event => ({
  kind: 'withdrawalRequested',
  id: id as OrderId,
  account: account as AccountId,
  amount: amount as Money,
  balance: 0 as Money,
});

export const withdrawalResolved = (id: number, account: number, completed: boolean): Event => ({
  kind: 'withdrawalResolved',
  id: id as OrderId,
  account: account as AccountId,
  amount: 50 as Money,
  balance: 0 as Money,
  completed,
});

export const fundingSettled = (market: number, boundary: number, rate = 100): Event => ({
  kind: 'fundingSettled',
  market: market as MarketId,
  boundary: boundary as Time,
  rate: rate as Rate,
  mark: 900 as Ticks,
});

export const indexRefused = (market: number): Event => ({
  kind: 'indexRefused',
  market: market as MarketId,
  ticks: 1 as Ticks,
});

export const breakerTripped = (market: number): Event => ({
  kind: 'breakerTripped',
  market: market as MarketId,
  until: 1 as Time,
});

export const liquidationFlagged = (account: number, flagged: boolean): Event => ({
  kind: 'liquidationFlagged',
  account: account as AccountId,
  market: undefined,
  flagged,
  equity: 0 as Money,
  maintenance: 0 as Money,
});
