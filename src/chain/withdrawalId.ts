// The names of a withdrawal on the chain: the id of its record as the 16 bytes that the vault knows
// it by, and the second until which the vault may begin to pay it. Both follow from the record, so
// every process and every signer finds the same ones.

import type { Time } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';

/** How long after its request a withdrawal may be sent, milliseconds. */
const payableMs = 86_400_000;

/** The vault's id: the 128 bits of the UUID. */
export type WithdrawalId = `0x${string}`;

/** The vault's id of the withdrawal with this number, requested at this time. */
export function withdrawalId(createdAt: Time, sequence: number): WithdrawalId {
  return `0x${formatUuid(createdAt, sequence).replaceAll('-', '')}`;
}

/**
 * The last second, of the chain's time, in which the vault may begin to pay: rounded down, so that
 * the vault's deadline is never after the exchange's.
 */
export function payableUntil(createdAt: Time): bigint {
  return BigInt(Math.floor((createdAt + payableMs) / 1000));
}
