// Checks the token that a client sends over a socket (WS-2), under the same limits as over HTTP
// (AUTH-7).

import type { AdmitToken } from '../streams/streamContext.ts';
import type { Gateway } from './gateway.ts';
import { accountOfClaims } from './identity/accountOfClaims.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import { giveBackInMinute, recordOf, takeInMinute, whileReturnable } from './rateLimits.ts';
import { untilCurrent } from './untilCurrent.ts';

/**
 * A token counts for the address before it is checked, and no longer when it is good, as over HTTP
 * (`admitBearer`). This bounds the tokens that are checked at the same time.
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
    if (claims === undefined) return 'tokenInvalid';
    if (accountOfClaims(replica.exchange, claims) === undefined) {
      if ((await untilCurrent(gateway)) !== undefined) return 'tooManyRequests';
      if (accountOfClaims(replica.exchange, claims) === undefined) return 'tokenInvalid';
    }
    giveBackInMinute(use.native, 1, now);
    const { account: id, address, session, expiresAt } = claims;
    return { account: id, address, session, expiresAt: expiresAt * 1000 };
  };
}
