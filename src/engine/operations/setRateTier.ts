// The operator chooses a key's limits (spec, rate_tier).

import type { SetRateTier } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { keyUpdated } from './updateApiKey.ts';

export function setRateTier(exchange: Exchange, command: SetRateTier): Outcome {
  const key = exchange.apiKeys.get(command.apiKey);
  if (key === undefined) return rejected({ reason: 'apiKeyUnknown' });
  // From here setRateTier must succeed.
  exchange.committed = true;
  key.rateTier = command.rateTier;
  exchange.events.push(keyUpdated(key));
  return { kind: 'accepted', apiKey: key };
}
