// Whether a key that was admitted may still be used. While a request waits until this process is
// current, it can learn that another process has deleted or disabled the key, or has changed its
// address list.

import type { Refusal } from '../api/refusal.ts';
import { apiKeyByText } from '../engine/views/exchange.ts';
import type { Gateway } from './gateway.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';

/** `client`: the client's network address. undefined: the key may be used from there. */
export function whyKeyBarred(
  { replica, keys, clock }: Pick<Gateway, 'replica' | 'keys' | 'clock'>,
  { text, client }: { readonly text: string; readonly client: string },
): Refusal | undefined {
  const apiKey = apiKeyByText(replica.exchange, text);
  if (apiKey === undefined) return { reason: 'apiKeyInvalid' };
  if (apiKey.status !== 'active') return { reason: 'apiKeyDisabled' };
  const material = keys.materialOf(apiKey, keys.useOf(apiKey, clock.now()));
  // The new address list is on its way here.
  if (material === undefined) return { reason: 'overloaded' };
  return ipAllowed(material.whitelist, client) ? undefined : { reason: 'addressNotAllowed' };
}
