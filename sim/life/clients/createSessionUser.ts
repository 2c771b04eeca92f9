// Logs in again and again beside its first login, uses the tokens, and ends sessions: one, its own,
// all others. What it knows must hold over every kill: a session whose end was confirmed never
// gives access again, and a session whose end was never requested keeps it.

import { parseUuid } from '../../../src/units/uuid.ts';
import { signLogin } from '../lifeWallet.ts';
import { sessionsKey, sessionsValue } from '../oracles/keys.ts';
import { type Act, type Actor, pick } from './actor.ts';
import { type Ask, type Caller, createCaller, type Received } from './createCaller.ts';

/** A login whose token has arrived. */
type Login = {
  readonly caller: Caller;
  readonly session: number;
  readonly since: number;
  /** Its end was requested; it may have ended. */
  ending: boolean;
};

type Sessions = {
  readonly actor: Actor;
  /** Asks with the token of the first login, which stays. */
  readonly first: Caller;
  readonly callerOf: (token: string) => Caller;
  logins: Login[];
  readonly ended: Login[];
  /** The ids by which open sessions are ended, by number. */
  readonly ids: Map<number, string>;
  /**
   * Logins since all others were ended, answered or not: at twenty the first would end (AUTH-11).
   */
  attempts: number;
  /** Requests to end all others that may still be on their way: then any login may end. */
  ending: number;
};

const attemptsMax = 10;
const endedMax = 40;
/** Far below the life of a session, whose time the program's wrong clock may have set. */
const certainMs = 43_200_000;

export function createSessionUser(actor: Actor, address: string): Act {
  const { world, diary, key, prng } = actor;
  const callerOf = (token: string): Caller =>
    createCaller({ world, diary, prng, address, key: { ...key, token } });
  if (key.token === undefined) return () => {};
  const sessions: Sessions = {
    actor,
    first: callerOf(key.token),
    callerOf,
    logins: [],
    ended: [],
    ids: new Map(),
    attempts: 0,
    ending: 0,
  };
  return () => {
    const { logins, ended, attempts } = sessions;
    const draw = prng.below(100);
    if (attempts >= attemptsMax) endOthers(sessions);
    else if (draw < 25 || logins.length === 0) logIn(sessions);
    else if (draw < 50) use(sessions, pick(prng, logins));
    else if (draw < 65 && ended.length > 0) useEnded(pick(prng, ended));
    else if (draw < 75) list(sessions);
    else if (draw < 85) endOne(sessions, pick(prng, logins));
    else if (draw < 97) logOut(sessions, pick(prng, logins));
    else endOthers(sessions);
  };
}

function logIn(sessions: Sessions): void {
  const { actor, first } = sessions;
  const { wallet } = actor.key;
  const nonce = { name: 'nonce', method: 'GET', path: '/api/v1/auth/nonce' } as const;
  first.ask({ ...nonce, parameters: { address: wallet }, credential: 'public' }, (received) => {
    if (received?.ok !== true) return;
    const { nonce, timestamp } = received.body;
    const signature = signLogin({ address: wallet, nonce, timestamp });
    sessions.attempts += 1;
    const login = { name: 'login', method: 'POST', path: '/api/v1/auth/login' } as const;
    const parameters = { address: wallet, nonce, timestamp, signature };
    first.ask({ ...login, parameters, credential: 'public' }, (answer) => {
      if (answer?.ok !== true) return;
      const { token } = answer.body;
      const since = actor.world.clock.now();
      const session = Number(token.split('.')[3]);
      const caller = sessions.callerOf(token);
      sessions.logins.push({ caller, session, since, ending: sessions.ending > 0 });
    });
  });
}

const balances: Ask = {
  name: 'balances of a session',
  method: 'GET',
  path: '/api/v1/balances',
  credential: 'token',
};

function use({ actor }: Sessions, login: Login): void {
  const { diary, world, key } = actor;
  login.caller.ask(balances, (received) => {
    if (received?.status !== 401 || login.ending) return;
    if (world.clock.now() - login.since > certainMs) return;
    diary.wrong.push(
      `session ${login.session} of ${key.account} was refused, no request has ended it`,
    );
  });
}

function useEnded({ caller }: Login): void {
  caller.ask({ ...balances, name: 'balances of an ended session', mustFail: true });
}

function list({ actor, first, ids }: Sessions): void {
  const { account } = actor.key;
  first.ask(
    {
      name: 'sessions',
      method: 'GET',
      path: '/api/v1/sessions',
      credential: 'token',
      seen: ({ ok, body }) => {
        if (!ok) return [];
        const numbers = body.map(({ id }: { readonly id: string }) => numberOf(id));
        return [[{ key: sessionsKey(account), value: sessionsValue(numbers.reverse()) }]];
      },
    },
    (received) => {
      if (received?.ok !== true) return;
      ids.clear();
      for (const { id } of received.body) ids.set(numberOf(id), id);
    },
  );
}

const numberOf = (id: string): number => parseUuid(id)!.sequence;

function endOne(sessions: Sessions, login: Login): void {
  const id = sessions.ids.get(login.session);
  if (id === undefined) return list(sessions);
  login.ending = true;
  const asked = { name: 'end session', method: 'DELETE', credential: 'token' } as const;
  sessions.first.ask({ ...asked, path: `/api/v1/sessions/${id}` }, (received) => {
    // 404: an earlier attempt has ended it.
    if (received?.ok === true || received?.status === 404) noteEnded(sessions, login);
  });
}

function logOut(sessions: Sessions, login: Login): void {
  login.ending = true;
  const asked = { name: 'logout', method: 'POST', path: '/api/v1/auth/logout' } as const;
  login.caller.ask({ ...asked, credential: 'token' }, (received) => {
    if (received?.ok === true) noteEnded(sessions, login);
  });
}

/** Sent once: a copy that arrives later would end sessions that are opened meanwhile. */
function endOthers(sessions: Sessions): void {
  const { first } = sessions;
  const before = [...sessions.logins];
  for (const login of before) login.ending = true;
  sessions.ending += 1;
  const asked = { name: 'end other sessions', method: 'DELETE', path: '/api/v1/sessions' } as const;
  first.ask({ ...asked, credential: 'token', single: true }, (received?: Received) => {
    // Without an answer it may still arrive, at any time.
    if (received === undefined) return;
    sessions.ending -= 1;
    if (!received.ok) return;
    sessions.attempts = 0;
    for (const login of before) noteEnded(sessions, login);
  });
}

function noteEnded(sessions: Sessions, login: Login): void {
  if (!sessions.logins.includes(login)) return;
  sessions.logins = sessions.logins.filter((each) => each !== login);
  sessions.ended.push(login);
  if (sessions.ended.length > endedMax) sessions.ended.shift();
}
