// What a client may say about an API key, and the key that a path names.

import type { TUnsafe } from 'typebox';
import type { Account, ApiKey } from '../../engine/account.ts';
import type { OrderReference } from '../../engine/command.ts';
import { textParameter } from '../parameterSchema.ts';

const labelLengthMax = 128;
const whitelistLengthMax = 65_536;

export function labelParameter(): TUnsafe<string> {
  return textParameter({ lengthMax: labelLengthMax, description: 'Free-form name.' });
}

export function whitelistParameter(): TUnsafe<string> {
  const description = 'Comma-separated IP addresses; empty means unrestricted.';
  return textParameter({ lengthMax: whitelistLengthMax, description });
}

/** The account's own key with this id; undefined for another's or none. */
export function ownKey(
  account: Account,
  reference: Extract<OrderReference, { readonly id: unknown }>,
): ApiKey | undefined {
  const { id, createdAt } = reference;
  return account.apiKeys.find((key) => key.id === id && key.createdAt === createdAt);
}
