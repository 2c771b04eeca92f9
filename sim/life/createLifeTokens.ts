// Bearer tokens of a run: readable texts instead of signed ones, because another thread makes the
// real ones, and a simulation does not control its time. The wallet and the session that a token
// names are checked as always.

import type { AccessTokens } from '../../src/gateway/identity/accessToken.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';

const lifeMs = 86_400_000;

export function createLifeTokens(): AccessTokens {
  return {
    issue: async ({ address, account, session }, now) => ({
      token: `life.${account}.${address}.${session}`,
      expiresAt: Math.floor((now + lifeMs) / 1000),
    }),
    verify: async (token, now) => {
      const [, account, address, session] =
        /^life\.(\d+)\.(0x[0-9a-f]{40})\.(\d+)$/.exec(token) ?? [];
      if (address === undefined) return undefined;
      return {
        address,
        account: Number(account) as AccountId,
        session: Number(session) as OrderId,
        issuedAt: Math.floor(now / 1000),
        expiresAt: Math.floor((now + lifeMs) / 1000),
      };
    },
  };
}
