// Reads its own account all day: balance, positions, open orders, single orders, fills and the
// past. The results go into the diary, and the other clients learn what they have.

import { parseScaled } from '../../../src/units/decimal.ts';
import { fillKey, fillsKey, fillValue, orderKey, orderValue, restingKey } from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { LifeMarket } from '../ports.ts';
import { type Act, type Actor, pick, seenBalance, seenPosition } from './actor.ts';
import type { Body } from './createCaller.ts';
import { readOrder } from './placeOrder.ts';
import { readLedger } from './readLedger.ts';

export function createAccountReader(actor: Actor): Act {
  const { prng, world, open } = actor;
  return () => {
    const market = pick(prng, world.markets);
    const draw = prng.below(100);
    if (draw < 25) readBalance(actor);
    else if (draw < 50) readPosition(actor, market);
    else if (draw < 65) readOpenOrders(actor, market);
    else if (draw < 75 && open.length > 0) readOrder(actor, pick(prng, open));
    else if (draw < 82) readFills(actor, market);
    else if (draw < 89) readPast(actor, market);
    else if (actor.key.token === undefined) readSummary(actor);
    else if (draw < 92) readLedger(actor);
    else if (draw < 97) readNatively(actor);
    else readSummary(actor);
  };
}

export function readBalance(actor: Actor): void {
  const { key } = actor;
  const asked = { name: 'balance', method: 'GET', path: '/fapi/v2/balance' } as const;
  actor.ask(
    { ...asked, seen: ({ ok, body }) => (ok ? [seenBalance(key.account, body[0])] : []) },
    (received) => {
      if (received?.ok === true) actor.available = Number(received.body[0].availableBalance);
    },
  );
}

export function readPosition(actor: Actor, market: LifeMarket): void {
  const { key, positions, prng } = actor;
  const { symbol } = market;
  actor.ask(
    {
      name: 'position',
      method: 'GET',
      path: pick(prng, ['/fapi/v2/positionRisk', '/fapi/v3/positionRisk']),
      parameters: { symbol },
      seen: ({ ok, body }) => (ok ? [seenPosition(key.account, symbol, body)] : []),
    },
    (received) => {
      if (received?.ok !== true) return;
      const { lot } = market;
      const scaled = parseScaled(received.body[0]?.positionAmt ?? '0', lot.decimals, lot.step);
      positions.set(symbol, 'value' in scaled ? scaled.value : 0);
    },
  );
}

/** All of one moment: each order as it is, and that no other order is open. */
function readOpenOrders(actor: Actor, { symbol }: LifeMarket): void {
  const { account } = actor.key;
  const resting = (body: Body): Seen[] => [
    { key: restingKey(account, symbol), value: String(body.length) },
    ...body.map((order: Body) => ({ key: orderKey(order.orderId), value: orderValue(order) })),
  ];
  actor.ask({
    name: 'open orders',
    method: 'GET',
    path: '/fapi/v1/openOrders',
    parameters: { symbol },
    seen: ({ ok, body }) => (ok ? [resting(body)] : []),
  });
}

const fillsMax = 1000;

/** The latest fills: each as it was made; when there are no older ones, all of them. */
function readFills(actor: Actor, { symbol }: LifeMarket): void {
  const { account } = actor.key;
  const seen = (rows: Body): Seen[] => {
    const fills = rows.map((row: Body) => ({
      key: fillKey(account, symbol, row.id, row.maker),
      value: fillValue(row),
    }));
    if (rows.length >= fillsMax) return fills;
    const value = rows.length === 0 ? '' : `${rows.length} ${rows.at(-1).id}`;
    return [...fills, { key: fillsKey(account, symbol), value }];
  };
  actor.ask({
    name: 'fills',
    method: 'GET',
    path: '/fapi/v1/userTrades',
    parameters: { symbol, limit: fillsMax },
    seen: ({ ok, body }) => (ok ? [seen(body)] : []),
  });
}

/** Orders of the past, each by itself, because two orders may come from different places. */
function readPast(actor: Actor, { symbol }: LifeMarket): void {
  actor.ask({
    name: 'all orders',
    method: 'GET',
    path: '/fapi/v1/allOrders',
    parameters: { symbol, limit: pick(actor.prng, [20, 100, 1000]) },
    seen: ({ ok, body }) =>
      ok
        ? body.map((order: Body) => [{ key: orderKey(order.orderId), value: orderValue(order) }])
        : [],
  });
}

function readNatively(actor: Actor): void {
  const { account } = actor.key;
  actor.ask({
    name: 'native balances',
    method: 'GET',
    path: '/api/v1/balances',
    credential: 'token',
    seen: ({ ok, body }) => (ok ? [seenBalance(account, body[0])] : []),
  });
}

function readSummary(actor: Actor): void {
  const { account } = actor.key;
  const row = (body: Body): Body => ({
    balance: body.totalWalletBalance,
    availableBalance: body.availableBalance,
  });
  actor.ask({
    name: 'account',
    method: 'GET',
    path: pick(actor.prng, ['/fapi/v2/account', '/fapi/v3/account']),
    seen: ({ ok, body }) => (ok ? [seenBalance(account, row(body))] : []),
  });
}
