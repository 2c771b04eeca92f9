// The tokens that logins give and native routes ask for (AUTH-5): JWTs of one algorithm, for one
// deployment. The caller checks whether the account still has the token's address.

import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { assert } from '../../std/assert.ts';
import { cacheGet, cacheSet, createBoundedCache } from '../../std/boundedCache.ts';
import type { AccountId, OrderId } from '../../units/units.ts';

const algorithm = 'HS256';
const issuer = 'evermark';
const type = 'JWT';
const addressPattern = /^0x[0-9a-f]{40}$/;
/** A longer text is not parsed: ours have about 255 characters. */
const tokenLengthMax = 1024;
/**
 * Three parts of base64url, each in its only spelling. The library accepts blanks, the other
 * alphabet, padding and any value of the two unused bits of a signature's last letter: one token
 * would have many texts.
 */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
const verifiedMax = 20_000;

export const accessTokenLifeSeconds = 24 * 60 * 60;

export type AccessClaims = {
  /** In lower case. */
  readonly address: string;
  /**
   * The account's number when the token was issued. If a secret outlives its data directory, the
   * number may belong to another account: compare that account's address before use.
   */
  readonly account: AccountId;
  /** The number of its session; 0: a token from before there were sessions (AUTH-11). */
  readonly session: OrderId;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
};

export type AccessTokens = {
  /** `now` in milliseconds since the epoch. */
  readonly issue: (
    holder: {
      readonly address: string;
      readonly account: AccountId;
      readonly session?: OrderId;
    },
    now: number,
  ) => Promise<{ readonly token: string; readonly expiresAt: number }>;
  /**
   * The token's claims; undefined (`invalidToken`) when it was not signed here, is for another
   * deployment, malformed or expired. Cost: 0.7 µs for a token seen before, 5 µs for one that was
   * not signed here, otherwise 100 µs.
   */
  readonly verify: (token: string, now: number) => Promise<AccessClaims | undefined>;
};

export function createAccessTokens(secret: string, chainId: number): AccessTokens {
  const key = createSecretKey(secret, 'utf8');
  const audience = String(chainId);
  // By the token's hash, so that a token costs its signature check once.
  const verified = createBoundedCache<AccessClaims>(verifiedMax);

  const check = async (token: string, now: number): Promise<AccessClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        currentDate: new Date(now),
        requiredClaims: ['sub', 'iat', 'exp', 'account'],
      });
      return readClaims(payload, audience);
    } catch {
      return undefined;
    }
  };

  return {
    issue: async ({ address, account, session = 0 as OrderId }, now) => {
      assert(addressPattern.test(address), 'a token is for an address in lower case');
      const issuedAt = Math.floor(now / 1000);
      const expiresAt = issuedAt + accessTokenLifeSeconds;
      const token = await new SignJWT(session === 0 ? { account } : { account, session })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(address)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: async (token, now) => {
      if (token.length > tokenLengthMax || !tokenPattern.test(token)) return undefined;
      const digest = hash('sha256', token, 'binary');
      const known = cacheGet(verified, digest);
      if (known !== undefined) return now < known.expiresAt * 1000 ? known : undefined;
      // The library needs many times as long for this.
      if (!isSignedBy(key, token)) return undefined;
      const claims = await check(token, now);
      if (claims !== undefined) cacheSet(verified, digest, claims);
      return claims;
    },
  };
}

/** Whether the last part of the token is the HMAC of the others. */
function isSignedBy(key: KeyObject, token: string): boolean {
  const dot = token.lastIndexOf('.');
  const expected = createHmac('sha256', key).update(token.slice(0, dot)).digest();
  return timingSafeEqual(expected, Buffer.from(token.slice(dot + 1), 'base64url'));
}

/** The token of an `Authorization` header; undefined unless its scheme is Bearer. */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}

/** The claims of a payload whose signature, issuer and expiry hold; undefined when malformed. */
function readClaims(
  payload: { readonly [name: string]: unknown },
  audience: string,
): AccessClaims | undefined {
  const { sub, aud, iat, exp, account, session = 0 } = payload;
  if (typeof sub !== 'string' || !addressPattern.test(sub) || aud !== audience) return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  if (exp - iat > accessTokenLifeSeconds) return undefined;
  if (typeof account !== 'number' || !Number.isSafeInteger(account) || account < 0)
    return undefined;
  if (!Number.isSafeInteger(session) || (session as number) < 0) return undefined;
  return {
    address: sub,
    account: account as AccountId,
    session: session as OrderId,
    issuedAt: iat,
    expiresAt: exp,
  };
}
