// The events of cancel on disconnect (COD-1). The ends of orders and triggers are events of their
// own (event.ts).

import type { AccountId, MarketId } from '../units/units.ts';

/** From now on the end of the connection ends orders (COD-1). */
export type ConnectionArmed = {
  readonly kind: 'connectionArmed';
  readonly account: AccountId;
  readonly connection: number;
  /** Empty: all. */
  readonly markets: readonly MarketId[];
};

export type ConnectionDisarmed = {
  readonly kind: 'connectionDisarmed';
  readonly account: AccountId;
  readonly connection: number;
};

/** An armed connection has ended; the ends of its account's orders are events of their own. */
export type ConnectionEnded = {
  readonly kind: 'connectionEnded';
  readonly account: AccountId;
  readonly connection: number;
};

/** On one market the orders of an ended connection have ended (COD-5). */
export type DisconnectApplied = {
  readonly kind: 'disconnectApplied';
  readonly account: AccountId;
  readonly market: MarketId;
  /** Orders and triggers. */
  readonly cancelled: number;
  /** What it cost the engine, in units of work (ORD-14). */
  readonly work: number;
};

export type ConnectionEvent =
  | ConnectionArmed
  | ConnectionDisarmed
  | ConnectionEnded
  | DisconnectApplied;
