// Waits for a key that a request names and that this process does not know, or whose secret is not
// here yet: another process may just have made it.

import type { Refusal } from '../api/refusal.ts';
import { apiKeyByText } from '../engine/views/exchange.ts';
import type { Gateway } from './gateway.ts';
import { untilCurrent } from './untilCurrent.ts';

/**
 * Resolves when the state and the secrets here are as they were at the process that writes, or with
 * a refusal. undefined for every key that is known here.
 */
export function keyArrival(
  gateway: Pick<Gateway, 'replica' | 'keyArrivals'>,
  apiKey: string,
): Promise<Refusal | undefined> | undefined {
  const { replica, keyArrivals } = gateway;
  const isKnown =
    apiKey === '' ||
    replica.whenCurrent === undefined ||
    apiKeyByText(replica.exchange, apiKey) !== undefined;
  const secret = async (): Promise<undefined> =>
    keyArrivals?.arriving(apiKey)?.then(() => undefined);
  if (isKnown) return keyArrivals?.arriving(apiKey) === undefined ? undefined : secret();
  return untilCurrent(gateway).then((refusal) => refusal ?? secret());
}
