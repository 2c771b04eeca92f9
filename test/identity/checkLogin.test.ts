// AUTH-5: the whole decision about a login, one case per refusal, and the order of the checks.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkLogin,
  type LoginContext,
  type LoginRequest,
} from '../../src/gateway/identity/checkLogin.ts';
import { createLoginLimit } from '../../src/gateway/identity/loginLimit.ts';
import { deriveNonceKey, makeLoginNonce } from '../../src/gateway/identity/loginNonce.ts';
import {
  type SignatureRecovery,
  startSignatureRecovery,
} from '../../src/gateway/identity/startSignatureRecovery.ts';
import { createWallet, flipS, type Wallet } from './wallet.ts';

const now = 1_700_000_000_000;
const seconds = now / 1000;
const nonceKey = deriveNonceKey('a secret of at least thirty-two characters');
const wallet = createWallet(11);
const stranger = createWallet(12);
let recovery: SignatureRecovery;

beforeAll(() => {
  recovery = startSignatureRecovery();
});
afterAll(() => recovery.close());

function context(changes: Partial<LoginContext> = {}): LoginContext {
  const limit = createLoginLimit();
  const places = { whyFull: () => undefined };
  const usual = { chainId: 43113, now, nonceKey, client: '203.0.113.5', limit, places, recovery };
  return { ...usual, ...changes };
}

type Made = { readonly chainId?: number; readonly now?: number; readonly timestamp?: number };

/** A valid request except for `made`. */
async function makeRequest(signer: Wallet, made: Made = {}): Promise<LoginRequest> {
  const { chainId = 43113, timestamp = seconds } = made;
  const { address } = signer;
  const holder = { key: nonceKey, address, chainId, now: made.now ?? now };
  const { nonce } = makeLoginNonce(holder, randomBytes);
  const signature = await signer.sign({ chainId, address, nonce, timestamp });
  return { address, nonce, timestamp, signature };
}

async function reasonOf(request: LoginRequest, changes?: Partial<LoginContext>): Promise<string> {
  const decision = await checkLogin(request, context(changes));
  return decision.ok ? 'ok' : decision.reason;
}

describe('AUTH-5 login', () => {
  it('passes a signed message, with the address in any case', async () => {
    const request = await makeRequest(wallet);
    const expected = {
      ok: true,
      address: wallet.address,
      nonce: request.nonce,
      nonceExpiresAt: now + 300_000,
    };
    const upper = `0x${wallet.address.slice(2).toUpperCase()}`;
    for (const address of [wallet.address, wallet.checksummed, upper]) {
      expect(await checkLogin({ ...request, address }, context())).toEqual(expected);
    }
  });

  it('invalidAddress: malformed or with a wrong checksum', async () => {
    const request = await makeRequest(wallet);
    const swapped = wallet.checksummed.replace(/[a-f]/, (digit) => digit.toUpperCase());
    expect(swapped).not.toBe(wallet.checksummed);
    for (const address of ['', '0x', wallet.address.slice(2), `${wallet.address}0`, swapped]) {
      expect(await reasonOf({ ...request, address }), address).toBe('invalidAddress');
    }
  });

  it('signatureFormatInvalid: without 0x, too short, not hex', async () => {
    const request = await makeRequest(wallet);
    const { signature } = request;
    for (const text of ['', signature.slice(2), signature.slice(0, -2), `${signature}1b`]) {
      const reason = await reasonOf({ ...request, signature: text });
      expect(reason, text).toBe('signatureFormatInvalid');
    }
  });

  it('userNotFound: no nonce, or one of another address, another key, or expired', async () => {
    const request = await makeRequest(wallet);
    expect(await reasonOf({ ...request, nonce: '' })).toBe('userNotFound');
    const { nonce } = await makeRequest(stranger);
    expect(await reasonOf({ ...request, nonce })).toBe('userNotFound');
    const otherKey = deriveNonceKey('another secret of thirty-two characters');
    expect(await reasonOf(request, { nonceKey: otherKey })).toBe('userNotFound');
    expect(await reasonOf(request, { now: now + 299_999 })).toBe('ok');
    expect(await reasonOf(request, { now: now + 300_000 })).toBe('userNotFound');
  });

  it('SYM-0 userNotFound: a nonce of another chain', async () => {
    const request = await makeRequest(wallet, { chainId: 43114 });
    expect(await reasonOf(request, { chainId: 43114 })).toBe('ok');
    expect(await reasonOf(request)).toBe('userNotFound');
  });

  it('timestampExpired: more than five minutes early or late', async () => {
    for (const [offset, reason] of [
      [-301, 'timestampExpired'],
      [-300, 'ok'],
      [300, 'ok'],
      [301, 'timestampExpired'],
    ] as const) {
      const request = await makeRequest(wallet, { timestamp: seconds + offset });
      expect(await reasonOf(request), String(offset)).toBe(reason);
    }
    const request = await makeRequest(wallet);
    for (const timestamp of [0, -1, now, seconds + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await reasonOf({ ...request, timestamp })).toBe('timestampExpired');
    }
  });

  it('signatureInvalid: of another wallet, of another message, or with a high s', async () => {
    const request = await makeRequest(wallet);
    const { signature } = await makeRequest(stranger);
    expect(await reasonOf({ ...request, signature })).toBe('signatureInvalid');
    const later = { ...request, timestamp: request.timestamp + 1 };
    expect(await reasonOf(later)).toBe('signatureInvalid');
    const high = { ...request, signature: flipS(request.signature) };
    expect(await reasonOf(high)).toBe('signatureInvalid');
    const nobody = { ...request, signature: `0x${'0'.repeat(130)}` };
    expect(await reasonOf(nobody)).toBe('signatureInvalid');
  });

  it('SYM-0 signatureInvalid: signed for another chain', async () => {
    const { address, nonce, timestamp } = await makeRequest(wallet);
    const signature = await wallet.sign({ chainId: 43114, address, nonce, timestamp });
    expect(await reasonOf({ address, nonce, timestamp, signature })).toBe('signatureInvalid');
  });

  it('tooManyRequests: the limit counts only signatures that would be recovered', async () => {
    const limit = createLoginLimit({ perPairMax: 2, perClientMax: 9, countsMax: 100 });
    const request = await makeRequest(wallet);
    for (let i = 0; i < 5; i += 1) {
      const refused = await reasonOf({ ...request, nonce: 'x' }, { limit });
      expect(refused).toBe('userNotFound');
    }
    expect(await reasonOf(request, { limit })).toBe('ok');
    expect(await reasonOf(request, { limit })).toBe('ok');
    expect(await reasonOf(request, { limit })).toBe('tooManyRequests');
    expect(await reasonOf(request, { limit, client: '203.0.113.6' })).toBe('ok');
    const other = await makeRequest(stranger);
    expect(await reasonOf(other, { limit })).toBe('ok');
  });

  it('overloaded: the recovery queue is full', async () => {
    const small = startSignatureRecovery(1);
    const request = await makeRequest(wallet);
    const both = await Promise.all([
      reasonOf(request, { recovery: small }),
      reasonOf(request, { recovery: small }),
    ]);
    await small.close();
    expect(both).toEqual(['ok', 'overloaded']);
  });

  it('checks address, form, nonce, time, signature in this order', async () => {
    const wrong: LoginRequest = { address: 'x', nonce: 'x', timestamp: 0, signature: 'x' };
    const right = await makeRequest(wallet);
    const badlySigned = `0x${'0'.repeat(130)}`;
    expect(await reasonOf(wrong)).toBe('invalidAddress');
    const withAddress = { ...wrong, address: right.address };
    expect(await reasonOf(withAddress)).toBe('signatureFormatInvalid');
    const withForm = { ...withAddress, signature: badlySigned };
    expect(await reasonOf(withForm)).toBe('userNotFound');
    const withNonce = { ...withForm, nonce: right.nonce };
    expect(await reasonOf(withNonce)).toBe('timestampExpired');
    const withTime = { ...withNonce, timestamp: right.timestamp };
    expect(await reasonOf(withTime)).toBe('signatureInvalid');
    expect(await reasonOf({ ...withTime, signature: right.signature })).toBe('ok');
  });
});

describe('AUTH-5 nonce', () => {
  const holder = { key: nonceKey, address: wallet.address, chainId: 43113, now };

  it('is new for each call and expires in five minutes', async () => {
    const [one, two] = [makeLoginNonce(holder, randomBytes), makeLoginNonce(holder, randomBytes)];
    expect(one.nonce).not.toBe(two.nonce);
    expect(one.nonce).toMatch(/^[A-Za-z0-9_-]{72}$/);
    expect(one.expiresAt).toBe(seconds + 300);
  });

  it('is refused with any character changed, added, removed or written differently', async () => {
    const request = await makeRequest(wallet);
    const { nonce } = request;
    for (let at = 0; at < nonce.length; at += 1) {
      const other = nonce[at] === 'A' ? 'B' : 'A';
      const changed = nonce.slice(0, at) + other + nonce.slice(at + 1);
      expect(await reasonOf({ ...request, nonce: changed })).toBe('userNotFound');
    }
    for (const changed of [`${nonce}=`, `${nonce}A`, nonce.slice(1), ` ${nonce}`, `${nonce}\n`]) {
      expect(await reasonOf({ ...request, nonce: changed })).toBe('userNotFound');
    }
  });
});

describe('AUTH-5 login limit', () => {
  it('counts per caller and wallet and per caller, and starts again each minute', () => {
    const limit = createLoginLimit({ perPairMax: 2, perClientMax: 3, countsMax: 100 });
    expect(limit.admit('a', 'w', 0)).toBe(true);
    expect(limit.admit('a', 'w', 1)).toBe(true);
    expect(limit.admit('a', 'w', 2)).toBe(false);
    expect(limit.admit('a', 'x', 3)).toBe(true);
    expect(limit.admit('a', 'y', 4)).toBe(false);
    expect(limit.admit('b', 'w', 5)).toBe(true);
    expect(limit.admit('a', 'w', 60_000)).toBe(true);
  });

  it('refuses new callers when its memory is full and still serves known ones', () => {
    const limit = createLoginLimit({ perPairMax: 5, perClientMax: 5, countsMax: 4 });
    expect(limit.admit('a', 'w', 0)).toBe(true);
    expect(limit.admit('b', 'w', 0)).toBe(true);
    expect(limit.admit('c', 'w', 0)).toBe(false);
    expect(limit.admit('a', 'w', 0)).toBe(true);
    expect(limit.admit('c', 'w', 60_000)).toBe(true);
  });
});
