// Goal: stateHash sees every field that commands decide, priceHash what time and prices bring, and
// neither sees anything else; a rejection changes no stateHash. Method: seeded streams, and single
// fields of a rich state changed one by one.

import { describe, expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { directValues } from '../../src/std/directMap.ts';
import type { Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { createStream, openingCommands, runStream, streamStart } from './commandStream.ts';
import { richExchange, richLists, sitesOfExchange } from './stateSites.ts';

function copyOf(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return decodeSnapshot(sections);
}

/** What time and prices bring. */
const isPriced = (path: string): boolean =>
  /^(?:time$|timers\.|nonces\.|fundPeaks\.)/.test(path) ||
  /^markets\.\d+\.(?:prices\.|indexMinutes\.|dues\.(?:funding|fundingSum|fundingMs|fundingFrom|fundingEnd|delivery|\w+Timer)$)/.test(
    path,
  );

describe('the state hash', () => {
  test('sees a change of any field that is state', () => {
    const exchange = richExchange();
    const state = stateHash(exchange);
    const prices = priceHash(exchange);
    // A live order is reached through the map of orders; its place in the book is checked below.
    const shapes = new Set<string>();
    let sites = 0;
    for (const { path, shape, change, undo } of sitesOfExchange(exchange)) {
      change();
      const isPrice = isPriced(path);
      const moved = isPrice ? priceHash(exchange) !== prices : stateHash(exchange) !== state;
      expect(moved, `${path} is not hashed`).toBe(true);
      if (isPrice) expect(stateHash(exchange), `${path} is a price`).toBe(state);
      else expect(priceHash(exchange), `${path} is no price`).toBe(prices);
      undo();
      shapes.add(shape);
      sites += 1;
    }
    expect([...shapes]).toEqual(expect.arrayContaining(richLists));
    expect(sites).toBeGreaterThan(500);
    expect(stateHash(exchange)).toBe(state);
    expect(priceHash(exchange)).toBe(prices);
  });

  test('ignores blank positions, links, tentative executions and the order of maps', () => {
    const exchange = richExchange();
    const before = [stateHash(exchange), priceHash(exchange)];
    const copy = copyOf(exchange);
    copy.undo.epoch = 77;
    for (const order of directValues(copy.orders)) order.epoch = 5;
    for (const account of liveAccounts(copy)) {
      account.dirty = !account.dirty;
      for (const position of account.positions) {
        if (position)
          Object.assign(position, { held: false, liquidationSide: 1, liquidationKey: 5 });
      }
    }
    copy.dirty.length = 0;
    copy.failing.clear();
    for (const map of [copy.credits, copy.nonces, copy.apiKeys] as Map<string, unknown>[]) {
      const entries = [...map].reverse();
      map.clear();
      for (const [key, value] of entries) map.set(key, value);
    }
    const poor = runStream(1, 0);
    const blank = stateHash(poor);
    const lots = 1_000_000_000;
    const huge = orderCommand({ account: 3, market: 2, side: 1, lots, ticks: 700 });
    expect(applyCommand(poor, huge, 0 as Time).kind).toBe('rejected');
    expect(poor.accounts[3]!.positions[2]).toBeDefined();
    expect(stateHash(poor)).toBe(blank);
    expect([stateHash(copy), priceHash(copy)]).toEqual(before);
  });

  test('sees the order in a level, in an account, and of idempotency keys', () => {
    const exchange = richExchange();
    const state = stateHash(exchange);
    const remembering = liveAccounts(exchange).find(({ idempotency }) => idempotency.size > 1)!;
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

test.each([1, 2, 3, 4, 5])('a rejection changes no state hash and draws no id, seed %i', (seed) => {
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
    expectSame(stateHash(exchange), state, JSON.stringify(command));
    expectSame(priceHash(exchange), prices);
    const { ok, failures } = checkInvariants(exchange);
    expectSame(ok, true, failures.join('\n'));
  }
  expect(rejections).toBeGreaterThan(100);
});
