// Trades over the WebSocket trading API (WS-6): every request is signed by itself or sent under a
// session, and answers are matched by id. Requests under way when the socket closed never got an
// answer. A session may arm its socket: then the orders whose answers have come over it end with it
// (COD-1).

import { createHmac } from 'node:crypto';
import type { Floor } from '../oracles/linearizability.ts';
import type { LifeView, Socket, Violation } from '../ports.ts';
import {
  type Act,
  type Actor,
  chance,
  forget,
  newName,
  pick,
  priceOf,
  quantityOf,
  seenOrder,
} from './actor.ts';
import type { Body, Parameters } from './createCaller.ts';
import { noteAsked, noteSeen } from './diary.ts';

type Pending = {
  readonly floor: Floor;
  readonly name: string;
  /** The id of a new order. */
  readonly clientOrderId: string | undefined;
  /** Of a request that arms the socket for all symbols. */
  readonly arms: boolean;
};

type Line = {
  socket: Socket | undefined;
  ids: number;
  /** Whether the exchange has accepted a logon on this socket. */
  session: boolean;
  readonly pending: Map<number, Pending>;
  /** Whether it is armed for all symbols, and nothing else was asked since. */
  armed: boolean;
  /** Orders whose answers came over the present socket. */
  readonly answered: Set<string>;
  /** Those of armed sockets that have closed. */
  readonly over: Set<string>;
};

export type TradingSocket = {
  readonly act: Act;
  /** At the end: no order rests whose answer came over an armed socket that has closed. */
  readonly check: (view: LifeView) => readonly Violation[];
};

export function createTradingSocket(actor: Actor, address: string): TradingSocket {
  const line: Line = {
    socket: undefined,
    ids: 0,
    session: false,
    pending: new Map(),
    armed: false,
    answered: new Set(),
    over: new Set(),
  };
  return { act: createAct(actor, line, address), check: (view) => checkEnded(actor, line, view) };
}

function createAct(actor: Actor, line: Line, address: string): Act {
  return () => {
    if (line.socket === undefined) return open(actor, line, address);
    const { prng } = actor;
    const draw = prng.below(100);
    if (draw < 3) return line.socket.close();
    if (draw < 8) return ask(actor, line, 'session.logon', {});
    if (draw < 14) return switchDisconnect(actor, line);
    if (draw < 28) return ask(actor, line, 'account.balance', {});
    const order = actor.open[0];
    if (order !== undefined && draw < 46) {
      const { symbol, clientOrderId } = order;
      actor.open.shift();
      return ask(actor, line, 'order.cancel', { symbol, origClientOrderId: clientOrderId });
    }
    return place(actor, line);
  };
}

function open(actor: Actor, line: Line, address: string): void {
  line.session = false;
  line.socket = actor.world.network.connect('/ws-fapi/v1', address, {
    onText: (text) => take(actor, line, text),
    onClose: () => {
      line.socket = undefined;
      line.pending.clear();
      if (line.armed) for (const name of line.answered) line.over.add(name);
      line.armed = false;
      line.answered.clear();
    },
  });
}

/** Mostly for all symbols; sometimes for one, or off. */
function switchDisconnect(actor: Actor, line: Line): void {
  const { prng, prices } = actor;
  line.armed = false;
  const enabled = chance(prng, 85);
  const symbols = JSON.stringify([pick(prng, prices.open()).symbol]);
  const few = enabled && chance(prng, 20);
  ask(actor, line, 'session.cancelOnDisconnect', few ? { enabled, symbols } : { enabled });
}

function checkEnded({ key, world }: Actor, { over }: Line, view: LifeView): readonly Violation[] {
  if (view.when !== 'end') return [];
  const { clientOrderIds } = view.exchange.accounts[key.account]!;
  const left = [...over].filter((name) => clientOrderIds.has(name));
  for (const _ of over) world.count('orders of closed sockets compared');
  return left.map((name) => `account ${key.account}: ${name} still rests, its socket has closed`);
}

function place(actor: Actor, line: Line): void {
  const { prng, prices, open: own } = actor;
  const market = pick(prng, prices.open());
  const { symbol } = market;
  const side = pick(prng, ['BUY', 'SELL'] as const);
  const away = prng.below(Math.max(3, Math.round(prices.ticksOf(market) / 500)));
  const ticks = prices.ticksOf(market) + (side === 'BUY' ? -away : away);
  const clientOrderId = newName(actor);
  own.push({ clientOrderId, symbol, side });
  ask(actor, line, 'order.place', {
    ...{ symbol, side, type: 'LIMIT', timeInForce: pick(prng, ['GTC', 'GTX', 'IOC']) },
    ...{ price: priceOf(market, ticks), quantity: quantityOf(market, 1 + prng.below(12)) },
    newClientOrderId: clientOrderId,
  });
}

function ask(actor: Actor, line: Line, method: string, parameters: Parameters): void {
  const { world, key, diary, prng } = actor;
  line.ids += 1;
  const id = line.ids;
  const timestamp = world.clock.now();
  const spared = line.session && method !== 'session.logon' && chance(prng, 60);
  const signed: Record<string, string | number | boolean | undefined> = {
    ...parameters,
    apiKey: key.apiKey,
    timestamp,
  };
  const params = spared
    ? { ...parameters, timestamp }
    : { ...signed, signature: signatureOf(signed, key.secret) };
  const clientOrderId = parameters.newClientOrderId as string | undefined;
  const arms = parameters.enabled === true && parameters.symbols === undefined;
  line.pending.set(id, { floor: noteAsked(diary), name: method, clientOrderId, arms });
  world.count(`socket ${method}`);
  line.socket?.send(JSON.stringify({ id, method, params }));
}

/** Over all parameters in the order of their names (WS-6). */
function signatureOf(parameters: Parameters, secret: string): string {
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&');
  return createHmac('sha256', secret).update(text).digest('hex');
}

function take(actor: Actor, line: Line, text: string): void {
  const { diary, key } = actor;
  const { id, status, result, error }: Body = JSON.parse(text);
  const pending = line.pending.get(id);
  if (pending === undefined) {
    // An answer without an id is reported when a frame could not be read.
    if (id !== null) diary.wrong.push(`account ${key.account}: a second answer to frame ${id}`);
    return;
  }
  line.pending.delete(id);
  const { floor, name, clientOrderId, arms } = pending;
  const what = `account ${key.account} by socket ${name}`;
  // 503 means that the disk is full, and that nothing was executed (AUTH-6a).
  if (status >= 500 && status !== 503 && error?.msg !== 'Database failure.')
    diary.wrong.push(`${what}: ${text}`);
  if (status !== 200) {
    if (clientOrderId !== undefined) forget(actor, clientOrderId);
    return;
  }
  if (name === 'session.logon') line.session = true;
  if (name === 'session.cancelOnDisconnect') line.armed = arms;
  if (clientOrderId !== undefined) line.answered.add(clientOrderId);
  if (name.startsWith('order.')) noteSeen(diary, floor, what, seenOrder(key.account, result));
}
