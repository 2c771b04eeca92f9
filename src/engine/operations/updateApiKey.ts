// Changes a key's status, or the row of the secret store with its label and whitelist that is in
// force.

import type { AccountId, OrderId, Time } from '../../units/units.ts';
import type { ApiKey } from '../account.ts';
import type { UpdateApiKey } from '../command.ts';
import type { ApiKeyUpdated } from '../event.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function updateApiKey(exchange: Exchange, command: UpdateApiKey): Outcome {
  const key = findKey(exchange, command);
  if (key === undefined) return rejected({ reason: 'apiKeyUnknown' });
  const { before = key.profile } = command;
  if (before !== key.profile) return rejected({ reason: 'apiKeyChanged' });
  // From here updateApiKey must succeed.
  exchange.committed = true;
  key.status = command.status ?? key.status;
  key.profile = command.profile ?? key.profile;
  exchange.events.push(keyUpdated(key));
  return { kind: 'accepted', apiKey: key };
}

/** The event with a key's present state. */
export function keyUpdated(key: ApiKey): ApiKeyUpdated {
  const { id, account, apiKey, status, rateTier, profile } = key;
  return { kind: 'apiKeyUpdated', id, account, apiKey, status, rateTier, profile };
}

/** The account's key with this id. */
export function findKey(
  exchange: Exchange,
  named: { readonly account: AccountId; readonly id: OrderId; readonly createdAt: Time },
): ApiKey | undefined {
  const keys = exchange.accounts[named.account]?.apiKeys;
  return keys?.find((key) => key.id === named.id && key.createdAt === named.createdAt);
}
