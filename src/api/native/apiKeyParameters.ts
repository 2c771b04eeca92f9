// The parameters that a client may send about an API key, and the key that a path names.

import type { OrderReference } from '../../engine/command.ts';
import { type Account, type ApiKey, apiKeysOf } from '../../engine/views/account.ts';
import { optional, textParameter } from '../parameterSchema.ts';

const labelLengthMax = 128;
const whitelistLengthMax = 65_536;

/** The parameters for creating and changing a key. */
export const apiKeyParameters = {
  label: optional(textParameter({ lengthMax: labelLengthMax, description: 'Free-form name.' })),
  ip_whitelist: optional(
    textParameter({
      lengthMax: whitelistLengthMax,
      description: 'Comma-separated IP addresses; empty means unrestricted.',
      refuses: 'null',
    }),
  ),
};

/**
 * The account's own key with this id; undefined when there is none or it belongs to another
 * account.
 */
export function ownKey(
  account: Account,
  reference: Extract<OrderReference, { readonly id: unknown }>,
): ApiKey | undefined {
  const { id, createdAt } = reference;
  return apiKeysOf(account).find((key) => key.id === id && key.createdAt === createdAt);
}
