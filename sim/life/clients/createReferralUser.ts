// Reads what has accrued for it by referral, and claims it; sometimes it asks for what a code and a
// binding allow only once. What was paid out to it stays paid out, over every kill, and is paid
// once.

import { balanceKey, referralKey, referralValue } from '../oracles/keys.ts';
import { type Act, type Actor, pick } from './actor.ts';
import { microsOf } from './readLedger.ts';

export function createReferralUser(actor: Actor): Act {
  const { prng, key } = actor;
  if (key.token === undefined) return () => {};
  const paid = { micros: 0n };
  return () => {
    const draw = prng.below(100);
    if (draw < 40) read(actor, paid);
    else if (draw < 90) claim(actor, paid);
    else if (draw < 95) setCode(actor);
    else bind(actor);
  };
}

/** What all answers together said was paid out. */
type Paid = { micros: bigint };

function read(actor: Actor, paid: Paid): void {
  const { account } = actor.key;
  const before = paid.micros;
  actor.ask(
    {
      name: 'referral',
      method: 'GET',
      path: '/api/v1/referral',
      parameters: { limit: 1 },
      credential: 'token',
      seen: ({ ok, body }) =>
        ok ? [[{ key: referralKey(account), value: referralValue(body) }]] : [],
    },
    (received) => {
      if (received?.ok !== true) return;
      const claimed = microsOf(received.body.claimed);
      if (claimed >= before) return;
      actor.diary.wrong.push(`${account} was paid ${before} by referral, and is shown ${claimed}`);
    },
  );
}

function claim(actor: Actor, paid: Paid): void {
  const { account } = actor.key;
  actor.ask(
    {
      name: 'claim',
      method: 'POST',
      path: '/api/v1/referral/claim',
      credential: 'token',
      seen: ({ ok, body }) => (ok ? [[{ key: balanceKey(account), value: body.balance }]] : []),
    },
    (received) => {
      if (received?.ok === true) paid.micros += microsOf(received.body.amount);
    },
  );
}

export const codeOf = (account: number): string => `LIFE${account}`;

function setCode(actor: Actor): void {
  const asked = { name: 'referral code', method: 'POST', path: '/api/v1/referral/code' } as const;
  const code = codeOf(actor.key.account);
  actor.ask({ ...asked, parameters: { code }, credential: 'token' });
}

function bind(actor: Actor): void {
  const asked = {
    name: 'referral binding',
    method: 'POST',
    path: '/api/v1/referral/bind',
  } as const;
  const code = codeOf(pick(actor.prng, actor.world.credentials).account);
  actor.ask({ ...asked, parameters: { code }, credential: 'token' });
}
