// Removes a key at once and for ever; the gateway destroys its data key in the secret store.

import type { DeleteApiKey } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { countUnfunded, placeGuest } from '../guests.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { findKey } from './updateApiKey.ts';

export function deleteApiKey(exchange: Exchange, command: DeleteApiKey): Outcome {
  const key = findKey(exchange, command);
  if (key === undefined) return rejected({ reason: 'apiKeyUnknown' });
  // From here deleteApiKey must succeed.
  exchange.committed = true;
  const account = exchange.accounts[key.account]!;
  countUnfunded(exchange, account, -1);
  account.apiKeys.splice(account.apiKeys.indexOf(key), 1);
  countUnfunded(exchange, account, 1);
  placeGuest(exchange, account, exchange.time);
  exchange.apiKeys.delete(key.apiKey);
  const { id, apiKey } = key;
  exchange.events.push({ kind: 'apiKeyDeleted', id, account: account.id, apiKey });
  return { kind: 'accepted', apiKey: key };
}
