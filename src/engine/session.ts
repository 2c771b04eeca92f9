// A session: what one login has opened, until it expires or is ended (AUTH-11). Its token names it,
// and gives access only while the account has it.

import type { OrderId, Time } from '../units/units.ts';

export type Session = {
  /** Number from the sequence; with `createdAt` it makes the UUID on the wire. */
  readonly id: OrderId;
  readonly createdAt: Time;
  readonly expiresAt: Time;
  /** The network address of the login, and what its client calls itself; both may be empty. */
  readonly client: string;
  readonly agent: string;
};
