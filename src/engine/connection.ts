// Connections whose end ends the orders of an account (COD-1), and those that have ended and whose
// orders must still end (COD-5).

import type { AccountId, MarketId } from '../units/units.ts';

export type ArmedConnection = {
  /** The gateway's number. */
  readonly id: number;
  readonly account: AccountId;
  /** By rising number; empty: all. */
  markets: readonly MarketId[];
};

export type EndedConnection = {
  readonly account: AccountId;
  /** As of the armed connection. */
  readonly markets: readonly MarketId[];
  /** The exchange's number when the connection ended: what is younger stays. */
  readonly sequence: number;
  /** How many of its markets are done: of `markets`, or of all. */
  done: number;
};

export type Connections = {
  /** By number, in the order in which they were armed first. */
  readonly armed: Map<number, ArmedConnection>;
  /** Those that have ended and whose orders must still end, in the order of their ends. */
  queue: EndedConnection[];
  /** The index in `queue` of the connection whose turn is next. */
  turn: number;
};

export function createConnections(): Connections {
  return { armed: new Map(), queue: [], turn: 0 };
}
