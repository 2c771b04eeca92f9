// The token that a socket shows (WS-2), under the limits of a token that a request shows (AUTH-7).

import type { AdmitToken } from '../streams/streamContext.ts';
import type { Gateway } from './gateway.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import { recordOf, takeInMinute, usedInMinute } from './rateLimits.ts';

/** A token that is none counts for the address; beyond its share no more are looked at. */
export function createAdmitToken(
  gateway: Pick<Gateway, 'limits' | 'tokens' | 'clock' | 'replica'>,
): AdmitToken {
  const { limits, tokens, clock, replica } = gateway;
  return async (token, client) => {
    const now = clock.now();
    const ceiling = limits.ceilings.nativeAddress;
    const { native } = recordOf(limits.addresses, limitKeyOf(client), now);
    if (usedInMinute(native, now) >= ceiling) return 'tooManyRequests';
    const claims = await tokens.verify(token, now);
    const account = claims === undefined ? undefined : replica.exchange.accounts[claims.account];
    if (claims === undefined || account?.address !== claims.address) {
      takeInMinute(native, { amount: 1, ceiling, now });
      return 'tokenInvalid';
    }
    const { account: id, address, expiresAt } = claims;
    return { account: id, address, expiresAt: expiresAt * 1000 };
  };
}
