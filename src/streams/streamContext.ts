// What every channel and session receives: the state to read, the feeds to follow, the fan-out for
// publishing, and ports to what streams do not know.

import type { Event } from '../engine/event.ts';
import type { Account } from '../engine/views/account.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import type { Market } from '../engine/views/market.ts';
import type { Order } from '../engine/views/order.ts';
import type { Position } from '../engine/views/position.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type { MarketData } from '../market-data/marketData.ts';
import type { Views } from '../market-data/views.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import type { AccountFeed } from './accountFeed.ts';
import type { DisconnectFailure, Disconnects } from './disconnectSwitch.ts';
import type { Fanout } from './fanout.ts';
import type { ListenKeys } from './fapi/listenKeys.ts';
import type { FigureTurns } from './figureTurns.ts';
import type { MarketFeed } from './marketFeed.ts';
import type { BookPicture } from './native/levelsOpening.ts';
import type { StreamError } from './native/streamError.ts';
import type { Rhythm } from './rhythm.ts';
import type { StreamBounds } from './streamBounds.ts';

/** Money that has reached an account. */
export type DepositText = {
  readonly id: OrderId;
  readonly amount: Money;
  readonly reference: string;
  readonly time: Time;
};

/** Records that answers show too, so that a stream never differs from an answer. */
export type WireRecords = {
  // In the form of the native surface, as JSON text.
  readonly order: (order: Readonly<Order>) => string;
  /** With the order that it placed, if it has placed one. */
  readonly trigger: (trigger: Readonly<Trigger>, order: Readonly<Order> | undefined) => string;
  /** Some positions of one account, in the given order. */
  readonly positions: (account: Account, positions: readonly Position[]) => string[];
  readonly balance: (account: Account) => string;
  readonly deposit: (row: DepositText) => string;
  readonly withdrawal: (row: WithdrawalRow, address: string) => string;
  /** Why a trigger failed, in the words of the refusal. */
  readonly failure: (reason: string) => string;
  /** Why a connection was not armed, as the channel protocol says it. */
  readonly disconnectError: (failure: DisconnectFailure) => StreamError;
};

/** The holder of a token. */
export type Holder = {
  readonly account: AccountId;
  readonly address: string;
  /** The session of its token; 0: none (AUTH-11). */
  readonly session: OrderId;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type AdmitToken = (
  token: string,
  client: string,
) => Promise<Holder | 'tokenInvalid' | 'tooManyRequests'>;

export type StreamContext = {
  readonly exchange: Exchange;
  readonly views: Views;
  readonly clock: Clock;
  readonly bounds: StreamBounds;
  readonly fanout: Fanout;
  readonly markets: MarketFeed;
  readonly accounts: AccountFeed;
  readonly rhythms: Set<Rhythm>;
  readonly figureTurns: FigureTurns;
  /** The last picture of each book that someone has read by levels. */
  readonly pictures: Map<MarketId, BookPicture>;
  /** Called with the events of every step; the exchange is in the state after the step. */
  readonly steps: Set<(events: readonly Event[]) => void>;
  /** Called when a batch is applied. */
  readonly batchEnds: Set<() => void>;
  readonly listenKeys: ListenKeys;
  readonly records: WireRecords;
  readonly admitToken: AdmitToken;
  readonly disconnects: Disconnects;
};

/** A market's public data. */
export function dataOf({ views }: Pick<StreamContext, 'views'>, market: Market): MarketData {
  return must(views.markets[market.id], 'a listed market has its data');
}
