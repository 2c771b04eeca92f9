// The commands of cancel on disconnect (COD-1). The gateway gives each connection its number, which
// no other connection of the same process has.

import type { AccountId, MarketId } from '../units/units.ts';

/** From now on the end of the connection ends the account's orders; replaces an earlier arming. */
export type ArmConnection = {
  readonly kind: 'armConnection';
  readonly account: AccountId;
  readonly connection: number;
  /** By rising number; empty: all, also those that are listed later. */
  readonly markets: readonly MarketId[];
};

/** The end of the connection ends nothing any more. */
export type DisarmConnection = {
  readonly kind: 'disarmConnection';
  readonly account: AccountId;
  readonly connection: number;
};

/** Connections have ended; those that are not armed are passed over. */
export type EndConnections = {
  readonly kind: 'endConnections';
  /** undefined: every one, because the process that held them has ended (COD-6). */
  readonly connections: readonly number[] | undefined;
};

export type ConnectionCommand = ArmConnection | DisarmConnection | EndConnections;
