// AUTH-5: the tokens of native routes: what is accepted, and everything that is not.

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAccessTokens, readBearer } from '../../src/gateway/identity/accessToken.ts';
import { findJwtSecret } from '../../src/gateway/identity/jwtSecret.ts';
import type { AccountId } from '../../src/units/units.ts';

const secret = 'a secret of at least thirty-two characters';
const address = `0x${'ab'.repeat(20)}`;
const account = 42 as AccountId;
const now = 1_700_000_000_500;
const seconds = 1_700_000_000;
const tokens = createAccessTokens(secret, 43113);

const claims = { iss: 'evermark', aud: '43113', sub: address, account, iat: seconds };
const valid = { ...claims, exp: seconds + 60 };

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

type Forged = { readonly header?: unknown; readonly payload?: unknown; readonly hash?: string };

/** A token made without the code under test, signed with the right secret. */
function forge({ header, payload = valid, hash = 'sha256' }: Forged): string {
  const head = encode(header ?? { alg: 'HS256', typ: 'JWT' });
  const text = `${head}.${encode(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

describe('AUTH-5 token', () => {
  it('gives its claims, at first and from memory, until it expires after 24 h', async () => {
    const { token, expiresAt } = await tokens.issue({ address, account }, now);
    expect(expiresAt).toBe(seconds + 86_400);
    for (let i = 0; i < 2; i += 1) {
      expect(await tokens.verify(token, now)).toEqual({
        ...{ address, account, expiresAt },
        ...{ session: 0, issuedAt: seconds },
      });
    }
    expect(await tokens.verify(token, expiresAt * 1000 - 1)).toBeDefined();
    expect(await tokens.verify(token, expiresAt * 1000)).toBeUndefined();
    const fresh = createAccessTokens(secret, 43113);
    expect(await fresh.verify(token, expiresAt * 1000 - 1)).toBeDefined();
    const stale = createAccessTokens(secret, 43113);
    expect(await stale.verify(token, expiresAt * 1000)).toBeUndefined();
  });

  it('is a plain JWT: one made by other software with the same secret passes', async () => {
    const expected = { address, account, expiresAt: seconds + 60 };
    expect(await tokens.verify(forge({}), now)).toMatchObject(expected);
  });

  it('invalidToken: changed in any part', async () => {
    const { token } = await tokens.issue({ address, account }, now);
    const [head, , signature] = token.split('.');
    const stolen = encode({ ...valid, sub: `0x${'cd'.repeat(20)}` });
    expect(await tokens.verify(`${head}.${stolen}.${signature}`, now)).toBeUndefined();
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(await tokens.verify(changed, now), String(at)).toBeUndefined();
    }
  });

  it('invalidToken: the same bytes in another spelling', async () => {
    const { token } = await tokens.issue({ address, account }, now);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1)!);
    const spellings = [1, 2, 3].map((bits) => token.slice(0, -1) + alphabet[last ^ bits]);
    spellings.push(
      `${token}=`,
      `${token} `,
      `${token}\n`,
      `${token.slice(0, -5)} ${token.slice(-5)}`,
    );
    for (const text of spellings) expect(await tokens.verify(text, now), text).toBeUndefined();
  });

  it('invalidToken: alg none, another algorithm, another type', async () => {
    const none = `${encode({ alg: 'none', typ: 'JWT' })}.${encode(valid)}.`;
    expect(await tokens.verify(none, now)).toBeUndefined();
    const signedNone = forge({ header: { alg: 'none', typ: 'JWT' } });
    expect(await tokens.verify(signedNone, now)).toBeUndefined();
    const longer = forge({ header: { alg: 'HS512', typ: 'JWT' }, hash: 'sha512' });
    expect(await tokens.verify(longer, now)).toBeUndefined();
    const otherType = forge({ header: { alg: 'HS256', typ: 'at+jwt' } });
    expect(await tokens.verify(otherType, now)).toBeUndefined();
  });

  it('SYM-0 invalidToken: of another deployment', async () => {
    const other = createAccessTokens(secret, 43114);
    const { token } = await other.issue({ address, account }, now);
    expect(await other.verify(token, now)).toBeDefined();
    expect(await tokens.verify(token, now)).toBeUndefined();
    const both = forge({ payload: { ...valid, aud: ['43113', '43114'] } });
    expect(await tokens.verify(both, now)).toBeUndefined();
  });

  it('invalidToken: another secret', async () => {
    const other = createAccessTokens(`${secret}.`, 43113);
    const { token } = await other.issue({ address, account }, now);
    expect(await tokens.verify(token, now)).toBeUndefined();
  });

  it('invalidToken: a claim is missing or malformed, or the lifetime exceeds 24 h', async () => {
    const { iss: _iss, ...noIssuer } = valid;
    const { aud: _aud, ...noAudience } = valid;
    const { sub: _sub, ...noSubject } = valid;
    const { iat: _iat, ...noIssue } = valid;
    const { account: _account, ...noAccount } = valid;
    const payloads = [
      noIssuer,
      noAudience,
      noSubject,
      noIssue,
      noAccount,
      claims,
      { ...valid, iss: 'other' },
      { ...valid, sub: address.toUpperCase() },
      { ...valid, sub: 7 },
      { ...valid, account: -1 },
      { ...valid, account: 1.5 },
      { ...valid, account: '42' },
      { ...valid, exp: seconds },
      { ...valid, exp: seconds + 86_401 },
      { ...valid, exp: 'never' },
      [],
      'text',
      null,
    ];
    for (const payload of payloads) {
      const token = forge({ payload });
      expect(await tokens.verify(token, now), JSON.stringify(payload)).toBeUndefined();
    }
    const longest = forge({ payload: { ...valid, exp: seconds + 86_400 } });
    expect(await tokens.verify(longest, now)).toBeDefined();
  });

  it('invalidToken: no token at all', async () => {
    for (const text of ['', '.', '..', 'a.b.c', 'null', 'x'.repeat(2_000_000), 'ü.ü.ü']) {
      expect(await tokens.verify(text, now)).toBeUndefined();
    }
  });

  it('is read from the Authorization header, with its scheme in any case', () => {
    expect(readBearer('Bearer abc')).toBe('abc');
    expect(readBearer('bearer  abc ')).toBe('abc');
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'abc']) {
      expect(readBearer(header)).toBeUndefined();
    }
  });
});

describe('AUTH-5 secret', () => {
  it('is the configured one, or else made once and readable only for its owner', () => {
    const directory = mkdtempSync(join(tmpdir(), 'evermark-jwt-'));
    try {
      expect(findJwtSecret({ directory, given: secret, randomBytes })).toBe(secret);
      const made = findJwtSecret({ directory, given: undefined, randomBytes });
      expect(made).toMatch(/^[0-9a-f]{64}$/);
      expect(findJwtSecret({ directory, given: undefined, randomBytes })).toBe(made);
      const file = join(directory, 'jwt-secret');
      expect(readFileSync(file, 'utf8')).toBe(`${made}\n`);
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
      const given = 'too short';
      expect(() => findJwtSecret({ directory, given, randomBytes })).toThrow('32 characters');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
