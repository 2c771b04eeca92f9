// A new API key (spec, API key status). The secret store already has its secret and its profile.
// Here it gets its id, its owner and its place in the account's list.

import type { ApiKey } from '../account.ts';
import type { CreateApiKey } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { countUnfunded, placeGuest } from '../guests.ts';
import { apiKeysPerAccountMax, unfundedWithKeysMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function createApiKey(exchange: Exchange, command: CreateApiKey): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const isFirst = !account.funded && account.apiKeys.length === 0;
  if (isFirst && exchange.guests.unfundedWithKeys >= unfundedWithKeysMax) {
    return rejected({ reason: 'capacityReached', limit: 'apiKeysWithoutMoney' });
  }
  if (account.apiKeys.length >= apiKeysPerAccountMax) return rejected({ reason: 'apiKeysLimit' });
  if (exchange.apiKeys.has(command.apiKey)) return rejected({ reason: 'referenceConflict' });
  // From here createApiKey must succeed.
  exchange.committed = true;
  const key: ApiKey = {
    id: drawNumber(exchange),
    account: account.id,
    apiKey: command.apiKey,
    createdAt: exchange.time,
    status: 'active',
    rateTier: 'standard',
    profile: command.profile,
  };
  countUnfunded(exchange, account, -1);
  account.apiKeys.push(key);
  countUnfunded(exchange, account, 1);
  placeGuest(exchange, account, exchange.time);
  exchange.apiKeys.set(key.apiKey, key);
  const { id, apiKey } = key;
  exchange.events.push({ kind: 'apiKeyCreated', id, account: account.id, apiKey });
  return { kind: 'accepted', apiKey: key };
}
