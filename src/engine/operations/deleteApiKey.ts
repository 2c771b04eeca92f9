// A key is removed at once and for ever; its data key in the vault is destroyed by the gateway.

import type { DeleteApiKey } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { findKey } from './updateApiKey.ts';

export function deleteApiKey(exchange: Exchange, command: DeleteApiKey): Outcome {
  const key = findKey(exchange, command);
  if (key === undefined) return rejected({ reason: 'apiKeyUnknown' });
  // From here the order must succeed.
  exchange.sure = true;
  const account = exchange.accounts[key.account]!;
  account.apiKeys.splice(account.apiKeys.indexOf(key), 1);
  exchange.apiKeys.delete(key.apiKey);
  const { id, apiKey } = key;
  exchange.events.push({ kind: 'apiKeyDeleted', id, account: account.id, apiKey });
  return { kind: 'accepted', apiKey: key };
}
