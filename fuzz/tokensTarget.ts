// The target of tokens (AUTH-5): JSON Web Tokens that are almost those of the exchange. Only the
// exact text that was issued is accepted, for its lifetime and for its account.

import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { Account } from '../src/engine/account.ts';
import { createAdmitToken } from '../src/gateway/admitToken.ts';
import {
  accessTokenLifeSeconds,
  createAccessTokens,
  readBearer,
} from '../src/gateway/identity/accessToken.ts';
import { createRateLimits } from '../src/gateway/rateLimits.ts';
import type { Replica } from '../src/replica/replica.ts';
import type { AccountId } from '../src/units/units.ts';
import { createDraw, type Draw, spoilText } from './draw.ts';
import { demand, type TargetReport, type TargetRun, tryAlone } from './target.ts';

const secret = 'the secret of the tokens of this target';
const chainId = 43113;
const chains = [43114, 42161, 56, 43113, 421614];
/** When the token was issued, in milliseconds. */
export const issuedAt = 1_760_000_000_000;
const seconds = issuedAt / 1000;
const lifeMs = accessTokenLifeSeconds * 1000;
const addressOf = (account: number): string => `0x${account.toString(16).padStart(40, '0')}`;
const accounts = [0, 1, 2].map((id) => ({ id, address: addressOf(id) }) as unknown as Account);
const holder = { address: addressOf(1), account: 1 as AccountId };
const { privateKey: foreignKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export type TokensStage = {
  readonly token: string;
  /** Whether a socket or a route accepts this token. */
  readonly admits: (token: string, now: number) => Promise<boolean>;
};

export async function openTokensStage(): Promise<TokensStage> {
  const tokens = createAccessTokens(secret, chainId);
  const { token } = await tokens.issue(holder, issuedAt);
  let now = issuedAt;
  let clients = 0;
  const admit = createAdmitToken({
    limits: createRateLimits(),
    tokens,
    clock: { now: () => now },
    replica: { exchange: { accounts } } as unknown as Replica,
  });
  return {
    token,
    admits: async (shown, at) => {
      now = at;
      clients += 1;
      // Many clients in turn, so that limits have no effect.
      const admitted = await admit(shown, `client ${clients % 100_000}`);
      demand(admitted !== 'tooManyRequests', () => 'the limits are met');
      if (typeof admitted === 'string') return false;
      demand(admitted.account === 1, () => `account ${admitted.account} is let in`);
      return true;
    },
  };
}

export async function tokensTarget(run: TargetRun): Promise<TargetReport> {
  const stage = await openTokensStage();
  return tryAlone('tokens', run, (seed) => tryToken(stage, createDraw(seed)));
}

async function tryToken({ token, admits }: TokensStage, draw: Draw): Promise<string> {
  const kind = draw.weighed(weights);
  const shown = makers[kind](draw, token);
  const age = draw.pick([0, 1, draw.below(lifeMs), lifeMs - 1, lifeMs, lifeMs + draw.below(1e9)]);
  const expected = shown === token && age < lifeMs;
  const admitted = await admits(shown, issuedAt + age);
  demand(admitted === expected, () => {
    return `${kind}, ${age} ms old: ${JSON.stringify(shown)} is ${admitted ? 'taken' : 'refused'}`;
  });
  return `${kind}: ${admitted ? 'taken' : 'refused'}`;
}

const weights = {
  issued: 1,
  spoilt: 4,
  signature: 3,
  header: 4,
  payload: 4,
  algorithm: 3,
  encoding: 3,
  foreign: 2,
  spaces: 1,
  parts: 1,
  scheme: 1,
} as const;

type Parts = readonly [head: string, payload: string, signature: string];

const partsOf = (token: string): Parts => token.split('.') as unknown as Parts;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const goodHead = { alg: 'HS256', typ: 'JWT' };
const goodClaims = {
  account: 1,
  iss: 'evermark',
  aud: String(chainId),
  sub: holder.address,
  iat: seconds,
  exp: seconds + accessTokenLifeSeconds,
};

/** Signed with the secret of the exchange; only a leak of it would allow this. */
function signed(head: unknown, claims: unknown, hash = 'sha256'): string {
  const text = `${encode(head)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

const makers: Readonly<Record<keyof typeof weights, (draw: Draw, token: string) => string>> = {
  issued: (_draw, token) => token,
  spoilt: spoilText,
  signature: (draw, token) => {
    const [head, payload, signature] = partsOf(token);
    return `${head}.${payload}.${draw.once(3) ? nearlySame(draw, signature) : spoilText(draw, signature)}`;
  },
  header: (draw, token) => {
    const [, payload, signature] = partsOf(token);
    const head = { ...goodHead, ...spoiltHead(draw) };
    if (draw.once(2)) return signed(head, badClaims(draw));
    const own = encode(head);
    return `${own === encode(goodHead) ? spoilText(draw, own) : own}.${payload}.${signature}`;
  },
  payload: (draw, token) => {
    const [head, , signature] = partsOf(token);
    return draw.once(2)
      ? signed(goodHead, badClaims(draw))
      : `${head}.${encode(badClaims(draw))}.${signature}`;
  },
  algorithm: confusedAlgorithm,
  encoding: otherEncoding,
  foreign: (draw) => foreignToken(draw),
  spaces: (draw, token) => {
    const space = draw.pick([' ', '\t', '\n', '\r\n', '\u00a0', '\0', '\ufeff']);
    const at = draw.below(token.length + 1);
    return draw.once(3) ? token + space : token.slice(0, at) + space + token.slice(at);
  },
  parts: (draw, token) => {
    const parts = [...partsOf(token)];
    const more = draw.pick(['', 'e30', parts[0]!, parts[2]!]);
    parts.splice(draw.below(4), draw.below(2), more);
    const made = parts.join(draw.pick(['.', '.', '..', ',', '%2e']));
    return made === token ? `${made}.` : made;
  },
  scheme: (draw, token) => {
    const header = draw.pick(['Bearer', 'Basic ', 'bearer,', 'Bearer\t', '']) + token;
    return readBearer(header) ?? header;
  },
};

/** Another last letter, whose unused bits are set: a careless reader decodes the same bytes. */
function nearlySame(draw: Draw, part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(part.at(-1)!);
  return part.slice(0, -1) + alphabet[last ^ (1 + draw.below(3))];
}

function spoiltHead(draw: Draw): object {
  return draw.pick([
    { alg: 'none' },
    { alg: 'hs256' },
    { alg: 'HS384' },
    { alg: 'RS256' },
    { alg: ['HS256'] },
    { typ: 'at+jwt' },
    { typ: undefined },
    { crit: ['b64'], b64: false },
    { crit: ['exp'] },
    { zip: 'DEF' },
    { kid: '../../../../dev/null' },
    { jwk: { kty: 'oct', k: encode(secret) } },
    { jku: 'http://127.0.0.1/keys' },
    { enc: 'A256GCM' },
  ]);
}

/** Claims with at least one that the exchange never makes for a live account. */
function badClaims(draw: Draw): unknown {
  const wrong = draw.pick<object>([
    { sub: addressOf(2) },
    { sub: addressOf(9) },
    { account: 2 },
    { account: 0 },
    { account: 7 },
    { account: -1 },
    { account: 1.5 },
    { account: '1' },
    { account: null },
    { account: 2 ** 53 },
    { sub: holder.address.toUpperCase() },
    { sub: [holder.address] },
    { sub: undefined },
    { iss: 'evermark ' },
    { iss: ['evermark'] },
    { iss: undefined },
    { aud: '43114' },
    { aud: 43113 },
    { aud: ['43113'] },
    { aud: undefined },
    { exp: goodClaims.exp + 1 },
    { exp: 9e15 },
    { exp: String(goodClaims.exp) },
    { exp: seconds },
    { exp: null },
    { exp: undefined },
    { iat: undefined },
    { iat: seconds - 1 },
    { iat: 'now' },
    { nbf: goodClaims.exp + 1 },
    { nbf: 'never' },
  ]);
  if (draw.once(12)) return draw.pick<unknown>([[], null, 'text', 7, true, [goodClaims]]);
  return { ...goodClaims, ...wrong };
}

function confusedAlgorithm(draw: Draw, token: string): string {
  const [head, payload, signature] = partsOf(token);
  switch (draw.below(5)) {
    case 0:
      return `${encode({ alg: draw.pick(['none', 'None', 'NONE', '']), typ: 'JWT' })}.${payload}.`;
    case 1:
      return `${head}.${payload}.`;
    case 2: {
      const bits = draw.pick(['384', '512']);
      return signed({ alg: `HS${bits}`, typ: 'JWT' }, goodClaims, `sha${bits}`);
    }
    case 3: {
      const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}`;
      return `${text}.${sign('sha256', Buffer.from(text), foreignKey).toString('base64url')}`;
    }
    default: {
      const plain = createHash('sha256').update(`${head}.${payload}`).digest('base64url');
      return `${head}.${payload}.${draw.pick([plain, `${signature}${signature}`])}`;
    }
  }
}

/** The same bytes in another encoding, of the whole token or of one part. */
function otherEncoding(draw: Draw, token: string): string {
  const parts = [...partsOf(token)];
  const at = draw.below(3);
  const bytes = Buffer.from(parts[at]!, 'base64url');
  const part = draw.pick([
    bytes.toString('base64'),
    `${parts[at]}=`,
    `${parts[at]}==`,
    bytes.toString('hex'),
    encodeURIComponent(bytes.toString('latin1')),
    parts[at]!.replaceAll('-', '+').replaceAll('_', '/'),
    `${parts[at]!.slice(0, 9)} ${parts[at]!.slice(9)}`,
    nearlySame(draw, parts[at]!),
  ]);
  parts[at] = part;
  const made = parts.join('.');
  // A part without the letters that differ is the same in both alphabets.
  return made === token ? `${made}=` : made;
}

function foreignToken(draw: Draw): string {
  const key = draw.pick(['', ' ', `${secret} `, secret.toUpperCase(), 'secret', 'x'.repeat(64)]);
  const chain = draw.pick(chains.filter((each) => each !== chainId));
  if (draw.once(2)) return signed(goodHead, { ...goodClaims, aud: String(chain) });
  const text = `${encode(goodHead)}.${encode(goodClaims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
