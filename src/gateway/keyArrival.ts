// Waits for a key that a request names and that is not good at this process, or whose secret is not
// here yet: another process may just have made it, enabled it, or opened it to the address of the
// client.

import type { Refusal } from '../api/refusal.ts';
import type { Gateway } from './gateway.ts';
import { untilCurrent } from './untilCurrent.ts';
import { whyKeyBarred } from './whyKeyBarred.ts';

/**
 * Resolves when the state and the secrets here are as they were at the process that writes, or with
 * a refusal. undefined for every key that is good here. `client`: the client's network address.
 */
export function keyArrival(
  gateway: Pick<Gateway, 'replica' | 'keys' | 'clock' | 'keyArrivals'>,
  { text, client }: { readonly text: string; readonly client: string },
): Promise<Refusal | undefined> | undefined {
  const { replica, keyArrivals } = gateway;
  const secret = (): Promise<undefined> | undefined =>
    keyArrivals?.arriving(text)?.then(() => undefined);
  if (text === '' || replica.whenCurrent === undefined) return secret();
  if (whyKeyBarred(gateway, { text, client }) === undefined) return undefined;
  return untilCurrent(gateway).then((refusal) => refusal ?? secret());
}
