// Goal: stateHash sees every field that commands decide, priceHash what time and prices bring, and
// neither sees anything else; a rejection changes no stateHash. Method: seeded streams, and single
// fields of a rich state changed one by one.

import { describe, expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import { isBlankPosition } from '../../src/engine/isBlankPosition.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { Position } from '../../src/engine/position.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/stateHash.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands, runStream, streamStart } from './commandStream.ts';

function copyOf(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return decodeSnapshot(sections);
}

/** Fields that are not state: links, trials, and what is blank between commands. */
const transient = new Set([
  ...['epoch', 'level', 'previous', 'next', 'older', 'newer'],
  ...['check', 'undo', 'ended', 'events', 'taker', 'sure'],
  // Found again from the records themselves, never different from them.
  ...['accountByAddress', 'marketBySymbol', 'bids', 'asks', 'before'],
]);

const isPriced = (path: string): boolean =>
  /^(?:\.time$|timers\.|nonces\.|markets\.\d+\.prices\.)/.test(path);

type Site = { readonly path: string; readonly change: () => void; readonly undo: () => void };

/** Every number, text, flag and total below `record`, each with a way to change it and back. */
function* sitesOf(record: object, path: string, seen: Set<object>): Generator<Site> {
  if (seen.has(record)) return;
  if ('countdown' in record && isBlankPosition(record as Position)) return;
  seen.add(record);
  if (record instanceof Map) {
    for (const [key, value] of record) {
      if (typeof value === 'object') yield* sitesOf(value, `${path}.${key}`, seen);
      else {
        const undo = () => record.set(key, value);
        yield { path: `${path}.${key}`, change: () => record.set(key, value + 1), undo };
      }
    }
    return;
  }
  const fields = record as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    if (transient.has(name) && !Array.isArray(record)) continue;
    const value = fields[name];
    if (typeof value === 'object' && value !== null) {
      yield* sitesOf(value, `${path}.${name}`, seen);
    } else if (value !== undefined && value !== null && typeof value !== 'function') {
      const undo = () => {
        fields[name] = value;
      };
      const change = () => {
        fields[name] = changed(name, value);
      };
      yield { path: `${path}.${name}`, change, undo };
    }
  }
}

const others: Record<string, readonly string[]> = {
  type: ['LIMIT', 'MARKET'],
  timeInForce: ['GTC', 'IOC'],
  selfTradeMode: ['NONE', 'EXPIRE_BOTH'],
  selfTradePrevention: ['NONE', 'EXPIRE_BOTH'],
  workingType: ['CONTRACT_PRICE', 'MARK_PRICE'],
  cancelReason: ['NONE', 'USER'],
  rateTier: ['standard', 'house'],
  underlyingType: ['COIN', 'INDEX'],
  kind: ['countdown', 'nonce'],
};

function changed(name: string, value: unknown): unknown {
  if (typeof value === 'number') return name === 'side' ? -value : value + 1;
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  const statuses = [
    ['TRADING', 'HALT'],
    ['active', 'disabled'],
    ['NEW', 'FILLED'],
    ['CLOSE', 'HALT'],
    ['PARTIALLY_FILLED', 'FILLED'],
  ];
  const known = name === 'status' ? statuses.find(([one]) => one === value) : others[name];
  if (known === undefined) return name === 'status' ? 'active' : `${String(value)}'`;
  return known[0] === value ? known[1] : known[0];
}

/** A state that has everything: streams are tried until one does. */
function richExchange(): Exchange {
  for (let seed = 1; seed < 50; seed += 1) {
    const exchange = runStream(seed, 400);
    const keyed = exchange.apiKeys.size > 0 && exchange.nonces.size > 0;
    const remembered = exchange.accounts.some(({ idempotency }) => idempotency.size > 1);
    if (keyed && remembered && exchange.orders.size > 10) return exchange;
  }
  throw new Error('no stream leads to a rich state');
}

describe('the state hash', () => {
  test('sees a change of any field that is state', () => {
    const exchange = richExchange();
    const state = stateHash(exchange);
    const prices = priceHash(exchange);
    // A live order is reached through the map of orders; its place in the book is checked below.
    let sites = 0;
    for (const name of Object.keys(exchange) as (keyof Exchange)[]) {
      if (transient.has(name)) continue;
      const part = exchange[name];
      const record = typeof part === 'object' && part !== null ? part : undefined;
      const own = { [name]: part };
      const found = record ? sitesOf(record, name, new Set()) : sitesOf(own, '', new Set());
      for (const { path, change, undo } of found) {
        if (record === undefined)
          (exchange as Record<string, unknown>)[name] = (part as number) + 1;
        else change();
        const isPrice = isPriced(path);
        const moved = isPrice ? priceHash(exchange) !== prices : stateHash(exchange) !== state;
        expect(moved, `${path} is not hashed`).toBe(true);
        if (isPrice) expect(stateHash(exchange), `${path} is a price`).toBe(state);
        else expect(priceHash(exchange), `${path} is no price`).toBe(prices);
        if (record === undefined) (exchange as Record<string, unknown>)[name] = part;
        else undo();
        sites += 1;
      }
    }
    expect(sites).toBeGreaterThan(500);
    expect(stateHash(exchange)).toBe(state);
    expect(priceHash(exchange)).toBe(prices);
  });

  test('passes over blank positions, links, trials and the order of maps', () => {
    const exchange = richExchange();
    const before = [stateHash(exchange), priceHash(exchange)];
    const copy = copyOf(exchange);
    copy.undo.epoch = 77;
    for (const order of copy.orders.values()) order.epoch = 5;
    for (const map of [copy.credits, copy.nonces, copy.apiKeys] as Map<string, unknown>[]) {
      const entries = [...map].reverse();
      map.clear();
      for (const [key, value] of entries) map.set(key, value);
    }
    const poor = runStream(1, 0);
    const blank = stateHash(poor);
    const order = { account: 3, market: 2, side: 1, type: 'LIMIT', timeInForce: 'GTC' };
    const rest = { quote: 0, ticks: 700, reduceOnly: false, selfTradeMode: undefined };
    const last = { workingType: 'CONTRACT_PRICE', priceProtect: false, clientOrderId: '' };
    const end = { maxSlippage: undefined, idempotencyKey: '', idempotencyRequest: '' };
    const huge = { kind: 'placeOrder', lots: 1_000_000_000, ...order, ...rest, ...last, ...end };
    expect(applyCommand(poor, huge as never, 0 as Time).kind).toBe('rejected');
    expect(poor.accounts[3]!.positions[2]).toBeDefined();
    expect(stateHash(poor)).toBe(blank);
    expect([stateHash(copy), priceHash(copy)]).toEqual(before);
  });

  test('sees the order of a level, of an account, and of idempotency keys', () => {
    const exchange = richExchange();
    const state = stateHash(exchange);
    const remembering = exchange.accounts.find(({ idempotency }) => idempotency.size > 1)!;
    const [oldest] = remembering.idempotency;
    remembering.idempotency.delete(oldest![0]);
    remembering.idempotency.set(...oldest!);
    expect(stateHash(exchange)).not.toBe(state);
  });
});

/** The number of rejections inside an outcome, and whether nothing else is. */
function isRejection(outcome: Outcome): boolean {
  if (outcome.kind === 'rejected') return true;
  return outcome.items?.every(isRejection) ?? false;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a rejection changes no state hash and draws no id, seed %i',
  (seed) => {
    const exchange = createExchange(43113);
    beginBatch(exchange, streamStart);
    for (const command of openingCommands()) applyCommand(exchange, command, 0 as Time);
    const stream = createStream(seed, () => exchange);
    let rejections = 0;
    for (let i = 0; i < 1500; i += 1) {
      const command = stream.next();
      if (stream.time() > exchange.time) beginBatch(exchange, stream.time());
      const state = stateHash(exchange);
      const prices = priceHash(exchange);
      if (!isRejection(applyCommand(exchange, command, 0 as Time))) continue;
      rejections += 1;
      expect(stateHash(exchange), JSON.stringify(command)).toBe(state);
      expect(priceHash(exchange)).toBe(prices);
      const { ok, failures } = checkInvariants(exchange);
      expect(ok, failures.join('\n')).toBe(true);
    }
    expect(rejections).toBeGreaterThan(100);
  },
);
