// The name of a withdrawal on the chain: the id of its record as the 16 bytes by which the vault
// knows it. It follows from the record, so every process and every signer finds the same one.

import type { OrderId, Time } from '../units/units.ts';
import { formatUuid, parseUuid } from '../units/uuid.ts';

/** The vault's id: the 128 bits of the UUID. */
export type WithdrawalId = `0x${string}`;

/** The vault's id of the withdrawal with this number, requested at this time. */
export function withdrawalId(createdAt: Time, sequence: number): WithdrawalId {
  return `0x${formatUuid(createdAt, sequence).replaceAll('-', '')}`;
}

const parts = /^0x(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Number and time of the withdrawal with this id; undefined when no exchange can have made it. */
export function recordOfId(
  id: string,
): { readonly id: OrderId; readonly createdAt: Time } | undefined {
  const found = parts.exec(id);
  const record = found === null ? undefined : parseUuid(found.slice(1).join('-'));
  return record && { id: record.sequence as OrderId, createdAt: record.time };
}
