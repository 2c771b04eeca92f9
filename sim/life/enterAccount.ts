// How the operator enters for the clients of a run, before they begin: each account logs in, gets a
// referral code or none, and is bound to the code of an earlier one or to none.

import type { Prng } from '../../src/std/prng.ts';
import { codeOf } from './clients/createReferralUser.ts';
import { type LifeLogin, signLogin } from './lifeWallet.ts';
import type { Answer, Request } from './ports.ts';

/** Repeats the request until its answer is certain, which has one of these statuses. */
export type Asking = (request: Request, statuses: number[]) => Promise<Answer>;

/**
 * The network address of everything that is asked before the clients begin, and of the operator.
 */
export const setUpAddress = '203.0.113.9';

/**
 * Gives the token. A nonce counts once: when the answer of an attempt was lost, it takes another.
 */
export async function logIn(ask: Asking, wallet: string): Promise<string> {
  const sent = { headers: {}, body: '', address: setUpAddress } as const;
  const path = `/api/v1/auth/nonce?address=${wallet}`;
  const given = await ask({ ...sent, method: 'GET', path }, [200]);
  const { nonce, timestamp } = JSON.parse(given.text) as Omit<LifeLogin, 'address'>;
  const signature = signLogin({ address: wallet, nonce, timestamp });
  const login = nativeOf('', '/api/v1/auth/login', {
    address: wallet,
    nonce,
    timestamp,
    signature,
  });
  const answer = await ask(login, [200, 401]);
  if (answer.status === 401) return logIn(ask, wallet);
  return (JSON.parse(answer.text) as { readonly token: string }).token;
}

type Entered = { readonly account: number; readonly token: string };

/** Most accounts are bound, and most have a code: there are chains of referrers. */
export async function refer(
  ask: Asking,
  { account, token }: Entered,
  { prng, owners }: { readonly prng: Prng; readonly owners: readonly Entered[] },
): Promise<void> {
  if (owners.length > 0 && prng.below(4) > 0) {
    const owner = owners[prng.below(owners.length)]!;
    const code = codeOf(owner.account);
    // 404: the owner has no code. 409: an earlier attempt succeeded.
    await ask(nativeOf(token, '/api/v1/referral/bind', { code }), [200, 404, 409]);
  }
  if (prng.below(4) === 0) return;
  await ask(nativeOf(token, '/api/v1/referral/code', { code: codeOf(account) }), [200, 409]);
}

/** A request of the native surface with this token. */
export function nativeOf(token: string, path: string, body: object, idempotencyKey = ''): Request {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  };
  return { method: 'POST', path, headers, body: JSON.stringify(body), address: setUpAddress };
}
