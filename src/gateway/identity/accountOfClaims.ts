// The account that a token opens: it still has the token's address (AUTH-5a), and the session of
// the token has not ended (AUTH-11).

import { type Account, hasSession } from '../../engine/views/account.ts';
import { accountById, type Exchange } from '../../engine/views/exchange.ts';
import type { AccessClaims } from './accessToken.ts';

export function accountOfClaims(
  exchange: Exchange,
  { account: id, address, session }: Pick<AccessClaims, 'account' | 'address' | 'session'>,
): Account | undefined {
  const account = accountById(exchange, id);
  return account?.address === address && hasSession(account, session) ? account : undefined;
}
