// AUTH-5b: who takes the places of the login nonces that are remembered. Method: places over a
// state of which only what is asked is there, and a login port that real wallets talk to.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/engine/account.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { createLoginPort } from '../../src/gateway/createLoginPort.ts';
import { createAccessTokens } from '../../src/gateway/identity/accessToken.ts';
import { createLoginPlaces, loginPlaceBounds } from '../../src/gateway/identity/loginPlaces.ts';
import {
  type SignatureRecovery,
  startSignatureRecovery,
} from '../../src/gateway/identity/startSignatureRecovery.ts';
import type { AccountId, Time } from '../../src/units/units.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { createWallet, type Wallet } from './wallet.ts';

const now = 1_700_000_000_000;
const expiresAt = now + 300_000;
const jwtSecret = 'a secret of the tests, 32 bytes and more';
const chainId = 43113;
let recovery: SignatureRecovery;
/** Signatures that were checked. */
let looks = 0;

beforeAll(() => {
  const started = startSignatureRecovery();
  recovery = {
    ...started,
    recover: (...parameters) => {
      looks += 1;
      return started.recover(...parameters);
    },
  };
});
afterAll(() => recovery.close());

/** A state with these accounts. */
function stateOf(...funded: readonly string[]) {
  const exchange = createExchange(56);
  const { accounts, accountByAddress } = exchange;
  for (const address of funded) {
    const id = accounts.length as AccountId;
    const account = createAccount(id, address, now as Time);
    account.funded = true;
    accounts.push(account);
    accountByAddress.set(address, id);
  }
  return exchange;
}

test('AUTH-5b wallets without a credit take at most half of the places, so one with a credit still logs in', () => {
  const state = stateOf('funded');
  const bounds = { ...loginPlaceBounds, all: 20, strangers: 10 };
  const places = createLoginPlaces(state, bounds);
  const login = (address: string, nonce: string, at = now): string | undefined => {
    const full = places.whyFull(address, at);
    if (full !== undefined) return full;
    places.take({ address, nonce, expiresAt });
    state.nonces.set(nonce, expiresAt as Time);
    return undefined;
  };
  for (let i = 0; i < 10; i += 1) expect(login(`stranger ${i}`, `nonce ${i}`)).toBeUndefined();
  expect(login('stranger 10', 'one more')).toBe('overloaded');
  for (let i = 0; i < 10; i += 1) expect(login('funded', `of funded ${i}`)).toBeUndefined();
  expect(login('funded', 'beyond all')).toBe('overloaded');
  // For a process that has just started, with the wallets in its state: they count as strangers.
  const later = createLoginPlaces(state, bounds);
  expect(later.whyFull('stranger 10', now)).toBe('overloaded');
  expect(later.whyFull('funded', now)).toBeUndefined();
  state.nonces.clear();
  expect(places.whyFull('stranger 10', expiresAt)).toBeUndefined();
  expect(later.whyFull('stranger 10', expiresAt)).toBeUndefined();
});

test('AUTH-5b a wallet has a bounded number of places until its nonces expire, and a nonce takes one', () => {
  const places = createLoginPlaces(stateOf('funded'));
  for (const [address, most] of [
    ['stranger', 5],
    ['funded', 20],
  ] as const) {
    for (let i = 0; i < most; i += 1) {
      expect(places.whyFull(address, now)).toBeUndefined();
      const login = { address, nonce: `${address} ${i}`, expiresAt: expiresAt + i };
      places.take(login);
      places.take(login);
    }
    expect(places.whyFull(address, now)).toBe('tooManyRequests');
    expect(places.whyFull(`another than ${address}`, now)).toBeUndefined();
  }
  for (const address of ['stranger', 'funded']) {
    expect(places.whyFull(address, expiresAt - 1)).toBe('tooManyRequests');
  }
  for (const address of ['stranger', 'funded']) {
    expect(places.whyFull(address, expiresAt)).toBeUndefined();
  }
});

function openPort() {
  const state = stateOf();
  const clock = createManualClock();
  const tokens = createAccessTokens(jwtSecret, chainId);
  const port = createLoginPort({
    chainId,
    clock,
    jwtSecret,
    tokens,
    recovery,
    randomBytes,
    exchange: state,
  });
  /** What `signer` posts for `wallet`; `undefined`: it is let in. */
  const post = async (wallet: Wallet, signer: Wallet, client: string) => {
    const { address } = wallet;
    const { nonce, timestamp } = port.issueNonce(address);
    const signature = await signer.sign({ chainId, address, nonce, timestamp });
    const verified = await port.verifyLogin({ address, nonce, timestamp, signature, client });
    return 'reason' in verified ? verified.reason : undefined;
  };
  return { clock, post };
}

test('AUTH-5b requests of others with a wallet take none of its places', async () => {
  const { post } = openPort();
  const [mine, theirs] = [createWallet(5), createWallet(6)];
  for (let i = 0; i < 30; i += 1) {
    expect(await post(mine, theirs, `192.0.2.${i}`)).toBe('loginSignatureInvalid');
  }
  for (let i = 0; i < 5; i += 1) expect(await post(mine, mine, '198.51.100.1')).toBeUndefined();
});

test('AUTH-5b the sixth login of a wallet in five minutes is refused before its signature is checked', async () => {
  const { clock, post } = openPort();
  const wallet = createWallet(7);
  for (let i = 0; i < 5; i += 1) expect(await post(wallet, wallet, `192.0.2.${i}`)).toBeUndefined();
  looks = 0;
  expect(await post(wallet, wallet, '192.0.2.9')).toBe('tooManyRequests');
  expect(looks).toBe(0);
  clock.advance(300_000);
  expect(await post(wallet, wallet, '192.0.2.9')).toBeUndefined();
});
