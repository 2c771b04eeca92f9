// Bearer tokens of a run: readable texts instead of signed ones, because another thread makes the
// real ones, and a simulation does not control its time. The wallet that a token names is checked
// as always.

import type { AccessTokens } from '../../src/gateway/identity/accessToken.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';

const lifeMs = 86_400_000;

export const tokenOf = (account: number, address: string): string => `life.${account}.${address}`;

export function createLifeTokens(): AccessTokens {
  return {
    issue: async ({ address, account }, now) => ({
      token: tokenOf(account, address),
      expiresAt: Math.floor((now + lifeMs) / 1000),
    }),
    verify: async (token, now) => {
      const [, account, address] = /^life\.(\d+)\.(0x[0-9a-f]{40})$/.exec(token) ?? [];
      if (address === undefined) return undefined;
      const expiresAt = Math.floor((now + lifeMs) / 1000);
      const issuedAt = Math.floor(now / 1000);
      const session = 0 as OrderId;
      return { address, account: Number(account) as AccountId, session, issuedAt, expiresAt };
    },
  };
}
