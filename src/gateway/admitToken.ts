// The token that a socket shows (WS-2), under the limits of a token that a request shows (AUTH-7).

import { accountById } from '../engine/views/exchange.ts';
import type { AdmitToken } from '../streams/streamContext.ts';
import type { Gateway } from './gateway.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import { giveBackInMinute, recordOf, takeInMinute, whileReturnable } from './rateLimits.ts';

/**
 * A token counts for the address before it is looked at, and no longer once it is found to be good,
 * as over HTTP (`admitBearer`): of many that come together only so many are looked at.
 */
export function createAdmitToken(
  gateway: Pick<Gateway, 'limits' | 'tokens' | 'clock' | 'replica'>,
): AdmitToken {
  const { limits, tokens, clock, replica } = gateway;
  return async (token, client) => {
    const now = clock.now();
    const ceiling = limits.ceilings.nativeAddress;
    const use = recordOf(limits.addresses, limitKeyOf(client), now);
    if (!takeInMinute(use.native, { amount: 1, ceiling, now })) return 'tooManyRequests';
    const claims = await whileReturnable(use, 1, () => tokens.verify(token, now));
    const account =
      claims === undefined ? undefined : accountById(replica.exchange, claims.account);
    if (claims === undefined || account?.address !== claims.address) return 'tokenInvalid';
    giveBackInMinute(use.native, 1, now);
    const { account: id, address, expiresAt } = claims;
    return { account: id, address, expiresAt: expiresAt * 1000 };
  };
}
