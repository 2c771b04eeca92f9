// The port of cancel on disconnect as the session of a socket sees it (COD-1): its switch, which
// arms the connection and reports its end. The gateway has the switches (createDisconnects.ts).

import type { Rejection } from '../engine/rejection.ts';
import type { AccountId, MarketId } from '../units/units.ts';

/** Why a connection was not armed or disarmed: nothing has changed, unless the fate is unknown. */
export type DisconnectFailure =
  | Rejection
  | { readonly reason: 'overloaded' | 'stopping' | 'waiting' | 'diskFull' | 'memoryShort' }
  /** Another process writes, and has refused it. */
  | { readonly reason: 'tokenInvalid' | 'tooManyRequests' | 'apiKeyInvalid' | 'apiKeyDisabled' }
  /** Another process may have written it, or not. */
  | { readonly reason: 'fateUnknown' };

export type Arming = {
  readonly account: AccountId;
  /** By rising number; empty: all. */
  readonly markets: readonly MarketId[];
  /** Whether the login by which it was armed still gives access; asked when that may have ended. */
  readonly isAllowed: () => boolean;
  /** It has ended because the login has, and the connection stays open. */
  readonly onEnd: () => void;
};

/** Gets undefined for success. It is called once, when the command is durable, or at once. */
export type SettleSwitch = (failure: DisconnectFailure | undefined) => void;

export type DisconnectSwitch = {
  /** Whether the connection is armed, or about to be. */
  readonly isArmed: () => boolean;
  readonly arm: (arming: Arming, settle: SettleSwitch) => void;
  readonly disarm: (account: AccountId, settle: SettleSwitch) => void;
  /** The connection has ended, or its login has: the orders end (COD-4). It may be armed anew. */
  readonly end: () => void;
  /** The same when the login has ended by itself; calls `onEnd` if it was armed. */
  readonly endLogin: () => void;
};

export type Disconnects = {
  /**
   * The switch of one more connection. `close` ends the connection when its orders have ended
   * without it (COD-6).
   */
  readonly open: (close: () => void) => DisconnectSwitch;
  /** Counts a request of the native surface for the account; false when nothing is left (COD-3). */
  readonly takeRequest: (account: AccountId) => boolean;
};
