// Changes its account's settings: leverage, margin mode, the collateral of isolated positions. It
// also withdraws money with an Idempotency-Key, and repeats the request until it knows the result.
// Without a token it can only do the first.

import { parseUuid } from '../../../src/units/uuid.ts';
import {
  availableKey,
  collateralKey,
  leverageKey,
  modeKey,
  withdrawalKey,
} from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { LifeMarket } from '../ports.ts';
import { type Act, type Actor, chance, newName, pick } from './actor.ts';
import type { Body, Received } from './createCaller.ts';

const retryDelayMs = 900;
const retriesMax = 5;

export function createAccountChanger(actor: Actor): Act {
  const { prng, world, key } = actor;
  return () => {
    const market = pick(prng, world.markets);
    const draw = prng.below(100);
    if (draw < 45 || key.token === undefined) {
      const { maxLeverage } = market;
      const all = chance(prng, actor.boldness);
      setLeverage(actor, market, all ? maxLeverage : 1 + prng.below(maxLeverage));
    } else if (draw < 50) setMode(actor);
    else if (draw < 70) moveCollateral(actor, market);
    else if (draw < 90) withdraw(actor);
    else listWithdrawals(actor);
  };
}

/** Sets the highest leverage on every market. */
export function goForAll(actor: Actor): void {
  for (const market of actor.world.markets) setLeverage(actor, market, market.maxLeverage);
}

function setLeverage(actor: Actor, { symbol }: LifeMarket, leverage: number): void {
  const { key } = actor;
  actor.ask({
    name: 'leverage',
    method: 'POST',
    path: '/fapi/v1/leverage',
    parameters: { symbol, leverage },
    seen: ({ ok, body }) =>
      ok ? [[{ key: leverageKey(key.account, symbol), value: String(body.leverage) }]] : [],
  });
}

/** Succeeds as long as the account is flat. */
export function setMode(actor: Actor): void {
  const { prng, key } = actor;
  actor.ask({
    name: 'margin mode',
    method: 'POST',
    path: '/api/v1/account/margin-mode',
    parameters: { mode: pick(prng, ['cross', 'isolated', 'unified']) },
    credential: 'token',
    seen: ({ ok, body }) => (ok ? [[{ key: modeKey(key.account), value: body.mode }]] : []),
  });
}

function moveCollateral(actor: Actor, { symbol }: LifeMarket): void {
  const { prng, key } = actor;
  const sign = chance(prng, 60) ? '' : '-';
  actor.ask({
    name: 'collateral',
    method: 'POST',
    path: `/api/v1/positions/${symbol}/collateral`,
    parameters: { delta: `${sign}${1 + prng.below(50)}.5` },
    credential: 'token',
    seen: ({ ok, body }) =>
      ok
        ? [
            [
              { key: availableKey(key.account), value: body.available_balance },
              { key: collateralKey(key.account, symbol), value: body.collateral },
            ],
          ]
        : [],
  });
}

function seenWithdrawal({ id, amount, status }: Body): Seen[] {
  const number = parseUuid(id)?.sequence ?? id;
  return [{ key: withdrawalKey(String(number)), value: `${amount} ${status}` }];
}

function withdraw(actor: Actor): void {
  const { prng, diary, world, key } = actor;
  const idempotencyKey = `withdraw-${newName(actor)}`;
  const amount = `${1 + prng.below(20)}.${prng.below(10)}`;
  const take = (received: Received): void => {
    if (!received.ok) return;
    const { id } = received.body;
    const before = diary.made.get(idempotencyKey) ?? id;
    diary.made.set(idempotencyKey, before);
    if (before !== id) diary.wrong.push(`key ${idempotencyKey} withdrew as ${before} and as ${id}`);
  };
  const attempt = (tries: number): void => {
    actor.ask(
      {
        name: 'withdraw',
        method: 'POST',
        path: '/api/v1/withdraw/request',
        parameters: { amount },
        credential: 'token',
        idempotencyKey,
        seen: ({ ok, body }) => (ok ? [seenWithdrawal(body)] : []),
      },
      (received) => {
        if (received !== undefined) take(received);
        const again = received === undefined || chance(prng, 20);
        if (again && tries < retriesMax) {
          world.clock.after(retryDelayMs, () => attempt(tries + 1));
        }
      },
    );
  };
  if (key.token !== undefined) attempt(1);
}

function listWithdrawals(actor: Actor): void {
  actor.ask({
    name: 'withdrawals',
    method: 'GET',
    path: '/api/v1/withdrawals',
    parameters: { limit: 1000 },
    credential: 'token',
    seen: ({ ok, body }) => (ok ? body.map(seenWithdrawal) : []),
  });
}
