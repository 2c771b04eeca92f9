// Login as the rows see it (AUTH-5): nonces, the check of a wallet's signature, tokens. The parts
// are in identity/; the rows know neither keys nor threads.

import type { LoginPort } from '../api/deployment.ts';
import type { Refusal } from '../api/refusal.ts';
import { accountByAddress, type Exchange } from '../engine/views/exchange.ts';
import type { RandomBytes } from '../secrets/secretStore.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import type { AccessTokens } from './identity/accessToken.ts';
import { checkLogin, type LoginRefusal } from './identity/checkLogin.ts';
import { createLoginLimit } from './identity/loginLimit.ts';
import { loginTypedData } from './identity/loginMessage.ts';
import { deriveNonceKey, makeLoginNonce } from './identity/loginNonce.ts';
import { createLoginPlaces } from './identity/loginPlaces.ts';
import { createNewAccountLimit } from './identity/newAccountLimit.ts';
import type { SignatureRecovery } from './identity/startSignatureRecovery.ts';
import { parseWalletAddress } from './identity/walletAddress.ts';
import type { Tallies } from './tallies.ts';

export type LoginPortOptions = {
  readonly chainId: number;
  readonly clock: Clock;
  readonly jwtSecret: string;
  readonly tokens: AccessTokens;
  readonly recovery: SignatureRecovery;
  readonly randomBytes: RandomBytes;
  readonly exchange: Exchange;
  /** Of a process that shares its limits with others. */
  readonly tallies?: Tallies | undefined;
};

const refusals: Readonly<Record<LoginRefusal, Refusal>> = {
  invalidAddress: { reason: 'walletAddressInvalid' },
  signatureFormatInvalid: { reason: 'loginSignatureMalformed' },
  userNotFound: { reason: 'nonceUnknown' },
  timestampExpired: { reason: 'loginTimestampExpired' },
  signatureInvalid: { reason: 'loginSignatureInvalid' },
  tooManyRequests: { reason: 'tooManyRequests' },
  overloaded: { reason: 'overloaded' },
};

export function createLoginPort(options: LoginPortOptions): LoginPort {
  const { chainId, clock, jwtSecret, tokens, recovery, randomBytes, exchange, tallies } = options;
  const nonceKey = deriveNonceKey(jwtSecret);
  const limit = createLoginLimit(undefined, tallies);
  const newAccounts = createNewAccountLimit(undefined, undefined, tallies);
  const places = createLoginPlaces(exchange);
  return {
    parseAddress: parseWalletAddress,
    issueNonce: (address) => {
      const now = clock.now();
      const { nonce, expiresAt } = makeLoginNonce(
        { key: nonceKey, address, chainId, now },
        randomBytes,
      );
      const timestamp = Math.floor(now / 1000);
      const typedData = loginTypedData({ chainId, address, nonce, timestamp });
      return { nonce, timestamp, expiresAt, typedData };
    },
    verifyLogin: async ({ client, ...request }) => {
      const now = clock.now();
      const decision = await checkLogin(request, {
        chainId,
        now,
        nonceKey,
        client,
        limit,
        places,
        recovery,
      });
      if (!decision.ok) return refusals[decision.reason];
      const { address, nonce, nonceExpiresAt: expiresAt } = decision;
      // Other logins may have come in while the signature was checked.
      const full = places.whyFull(address, now);
      if (full !== undefined) return refusals[full];
      const isKnown = accountByAddress(exchange, address) !== undefined;
      if (!isKnown && !newAccounts.admit(client, now)) return refusals.tooManyRequests;
      places.take({ address, nonce, expiresAt });
      return { expiresAt };
    },
    issueToken: (address, session) => {
      const account = must(accountByAddress(exchange, address), 'a login has made the account');
      const holder = { address, account: account.id, session };
      return tokens.issue(holder, clock.now());
    },
  };
}
