// The replica that writes: what shares a batch, when answers leave, what is refused when too much
// waits, and what stops it. Time, turns and syncs are the test's.

import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import { deadlineMs, timerWorkPerBatchMax } from '../../src/engine/limits.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { schedule } from '../../src/engine/timers.ts';
import { accountById, creditByReference } from '../../src/engine/views/exchange.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { rowsInOrder } from '../../src/market-data/rowRing.ts';
import { applyBatch } from '../../src/replica/applyBatch.ts';
import { defaultReplicaBounds } from '../../src/replica/replicaBounds.ts';
import { createReplicaState, figuresOf } from '../../src/replica/replicaState.ts';
import type { AccountId, MarketId, Money, Time } from '../../src/units/units.ts';
import { createStream, openingCommands } from '../engine/commandStream.ts';
import { createSteppedReplica, type SteppedReplica } from '../fixtures/steppedReplica.ts';
import { testEngines } from '../fixtures/testEngines.ts';

const credit = (reference: string, amount = 1_000_000): Command => ({
  kind: 'credit',
  address: `0x${'1'.repeat(40)}`,
  amount: amount as Money,
  reference,
});

describe('batches', () => {
  test('the commands of one turn share a batch, and answers leave when it is durable', () => {
    const { send, turn, log, seen } = createSteppedReplica();
    send('a', credit('a'));
    send('b', credit('b'));
    expect(log.batches).toHaveLength(0);
    turn();
    expect(log.batches.map(({ count }) => count)).toEqual([2]);
    expect(seen).toEqual(['a accepted', 'b accepted']);
    log.sync();
    expect(seen).toEqual(['a accepted', 'b accepted', 'a out', 'b out']);
  });

  test('applying runs ahead of the sync, and answers leave in the order of the log', () => {
    const { send, turn, log, seen, replica } = createSteppedReplica();
    for (const name of ['a', 'b', 'c']) {
      send(name, credit(name));
      turn();
    }
    expect(accountById(replica.exchange, 1 as AccountId)!.available).toBe(3_000_000);
    expect(replica.head().position).toBe(0);
    log.sync(2);
    expect(seen.slice(3)).toEqual(['a out', 'b out']);
    expect(replica.head()).toEqual({ position: 2, hash: log.batches[1]!.hash.toString('hex') });
    log.sync();
    expect(seen.slice(3)).toEqual(['a out', 'b out', 'c out']);
  });

  test('while the log is busy commands gather, and then leave in one batch', () => {
    const { send, turn, log, replica } = createSteppedReplica();
    for (let i = 0; log.ready(); i += 1) {
      send(`${i}`, credit(`${i}`));
      turn();
    }
    const inFlight = log.batches.length;
    for (let i = 0; i < 10; i += 1) send(`late ${i}`, credit(`late ${i}`));
    turn();
    expect(log.batches).toHaveLength(inFlight);
    expect(replica.waiting()).toBe(10);
    log.sync(1);
    turn();
    expect(log.batches.at(-1)!.count).toBe(10);
    expect(replica.waiting()).toBe(0);
  });

  test('the time of a batch is never before that of its predecessor', () => {
    const { send, turn, log, clock } = createSteppedReplica();
    send('a', credit('a'));
    turn();
    clock.advance(-60_000);
    send('b', credit('b'));
    turn();
    expect(log.batches[1]!.time).toBe(log.batches[0]!.time);
  });

  test('without traffic an empty batch moves the time once a second', () => {
    const { replica, log, clock, state, turn } = createSteppedReplica();
    replica.tick();
    log.sync();
    const before = log.batches.length;
    clock.advance(999);
    replica.tick();
    expect(log.batches).toHaveLength(before);
    clock.advance(1);
    replica.tick();
    turn();
    expect(log.batches).toHaveLength(before + 1);
    expect(log.batches.at(-1)!.count).toBe(0);
    expect(state.exchange.time).toBe(clock.now());
  });

  test('ORD-15 while timers are due the next batch comes at once, even without traffic', () => {
    const { replica, log, clock, state, turn } = createSteppedReplica();
    replica.tick();
    const { exchange } = state;
    const time = (exchange.time + 1000) as Time;
    const count = 5 * timerWorkPerBatchMax;
    for (let i = 0; i < count; i += 1) {
      exchange.nonces.set(`n${i}`, time);
      const owner = { account: 1 as AccountId, market: 0 as MarketId };
      schedule(exchange, { time, id: 1_000_000 + i, kind: 'nonce', ...owner, nonce: `n${i}` });
    }
    clock.advance(1000);
    replica.tick();
    const before = log.batches.length;
    expect(exchange.nonces.size).toBe(3 * timerWorkPerBatchMax);
    turn();
    expect(exchange.nonces.size).toBe(1 * timerWorkPerBatchMax);
    // The log has room for four batches only.
    log.sync();
    turn();
    expect(exchange.nonces.size).toBe(0);
    log.sync();
    turn();
    expect(log.batches).toHaveLength(before + 2);
    expect(log.batches.map(({ count: commands }) => commands)).toEqual(log.batches.map(() => 0));
    expect(new Set(log.batches.slice(before - 1).map((batch) => batch.time))).toEqual(
      new Set([time]),
    );
  });

  test('ORD-15 when the log is busy, the batch for timers waits for a sync', () => {
    const { replica, send, log, clock, state, turn } = createSteppedReplica();
    const { exchange } = state;
    while (log.ready()) {
      send('filler', credit(`${log.batches.length}`));
      turn();
    }
    const time = exchange.time;
    exchange.nonces.set('n', time);
    const owner = { account: 1 as AccountId, market: 0 as MarketId };
    schedule(exchange, { time, id: 1_000_000, kind: 'nonce', ...owner, nonce: 'n' });
    turn();
    expect(exchange.nonces.size).toBe(1);
    log.sync(1);
    turn();
    expect(exchange.nonces.size).toBe(0);
    expect(clock.now()).toBe(time);
    replica.stop();
  });

  test('whenDurable waits only for what has been applied', () => {
    const { replica, send, turn, log, seen } = createSteppedReplica();
    replica.whenDurable(() => seen.push('read 1'));
    expect(seen).toEqual(['read 1']);
    send('a', credit('a'));
    turn();
    replica.whenDurable(() => seen.push('read 2'));
    send('b', credit('b'));
    turn();
    log.sync(1);
    expect(seen).toEqual(['read 1', 'a accepted', 'b accepted', 'a out', 'read 2']);
  });

  test('drain resolves when every answer has left', async () => {
    const { replica, send, turn, log, seen } = createSteppedReplica();
    await replica.drain();
    send('a', credit('a'));
    const drained = replica.drain().then(() => seen.push('drained'));
    turn();
    log.sync();
    await drained;
    expect(seen).toEqual(['a accepted', 'a out', 'drained']);
  });
});

describe('overload', () => {
  const bounds = { ...defaultReplicaBounds, orderLaneMax: 3, reserveLaneMax: 5 };

  test('orders are refused first, and cancels and prices have a reserve', () => {
    const { send, turn, log, replica } = createSteppedReplica({ bounds });
    const sent = Array.from({ length: 5 }, (_, i) => send(`${i}`, credit(`${i}`)));
    expect(sent).toEqual([true, true, true, false, false]);
    const reserve = [5, 6, 7].map((i) => send(`${i}`, credit(`${i}`), 'reserve'));
    expect(reserve).toEqual([true, true, false]);
    turn();
    expect(log.batches[0]!.count).toBe(5);
    expect(stateOf.exchange(replica.exchange).credits.size).toBe(5);
    expect(send('again', credit('again'))).toBe(true);
  });

  test('a refused command leaves no byte in the batch', () => {
    const size = 200;
    const { send, turn, log, state } = createSteppedReplica({
      bounds: { ...bounds, orderLaneMax: 100, batchBytes: size },
    });
    let taken = 0;
    while (send(`${taken}`, credit(`${taken}`))) taken += 1;
    expect(taken).toBeGreaterThan(0);
    turn();
    expect(log.batches[0]!.commands.length).toBeLessThanOrEqual(size);
    const copy = createReplicaState(43113, testEngines);
    applyBatch(copy, log.batches[0]!, new Map());
    expect(figuresOf(copy)).toEqual(figuresOf(state));
  });

  test('with little memory or disk, orders are refused and the reserve still passes', () => {
    let shortage: 'diskFull' | 'memoryShort' | undefined = 'diskFull';
    const { send, replica } = createSteppedReplica({ shortage: () => shortage });
    replica.tick();
    expect(send('order', credit('a'))).toBe(false);
    expect(replica.whyRefused('order')).toBe('diskFull');
    expect(send('cancel', credit('b'), 'reserve')).toBe(true);
    expect(replica.whyRefused('reserve')).toBe('overloaded');
    shortage = undefined;
    replica.tick();
    expect(send('order', credit('c'))).toBe(true);
    expect(replica.whyRefused('order')).toBe('overloaded');
    replica.stop();
    expect(replica.whyRefused('order')).toBe('stopping');
  });

  test('a clock that is set back far makes no command late, and the time of batches waits for it', () => {
    const { send, turn, seen, clock, replica, state } = createSteppedReplica();
    clock.advance(3_600_000);
    send('before', credit('before'));
    turn();
    clock.advance(-3_600_000);
    send('after', credit('after'));
    turn();
    expect(seen).toEqual(['before accepted', 'after accepted']);
    expect(replica.now()).toBe(state.time);
    clock.advance(3_600_001);
    expect(replica.now()).toBe(clock.now());
  });

  test('a command that waited past its deadline is rejected, and the log contains the rejection', () => {
    const { send, turn, log, seen, clock, replica } = createSteppedReplica();
    for (let i = 0; log.ready(); i += 1) {
      send(`${i}`, credit(`${i}`));
      turn();
    }
    seen.length = 0;
    send('late', credit('late'));
    clock.advance(deadlineMs + 1);
    log.sync();
    turn();
    expect(seen.filter((line) => line.startsWith('late'))).toEqual(['late deadlinePassed']);
    expect(log.batches.at(-1)!.count).toBe(1);
    expect(creditByReference(replica.exchange, 'late')).toBeUndefined();
  });
});

describe('what stops it', () => {
  test('after a failure of the log nothing is acknowledged', () => {
    const { send, turn, log, seen, fatal, replica } = createSteppedReplica();
    send('a', credit('a'));
    turn();
    log.fail(new Error('the disk is gone'));
    log.sync();
    expect(fatal.map(({ message }) => message)).toEqual(['the disk is gone']);
    expect(seen).toEqual(['a accepted']);
    expect(send('b', credit('b'))).toBe(false);
    replica.tick();
    turn();
    expect(log.batches).toHaveLength(1);
  });

  test('a query after a command that broke the state gets no data', () => {
    const { send, turn, log, seen, fatal, replica } = createSteppedReplica();
    replica.whenDurable(() => seen.push('before'));
    stateOf.exchange(replica.exchange).check.balances = 1;
    send('a', credit('a'));
    turn();
    expect(fatal).toHaveLength(1);
    replica.whenDurable(() => seen.push('after'));
    log.sync();
    expect(seen).toEqual(['before']);
  });

  test('a poison command prints how to skip it, and its batch is never answered', () => {
    const { send, turn, log, seen, fatal, replica } = createSteppedReplica();
    send('a', credit('a'));
    turn();
    log.sync();
    // The state is torn on purpose: the next command finds money that no command moved.
    stateOf.exchange(replica.exchange).check.balances = 1;
    send('b', credit('b'));
    send('c', credit('c'));
    turn();
    log.sync();
    expect(fatal).toHaveLength(1);
    expect(fatal[0]!.message).toContain('evermark log skip 2 0');
    expect(seen).toEqual(['a accepted', 'a out']);
  });

  test('a waiter that throws stops the replica instead of losing an answer', () => {
    const { replica, turn, fatal, log } = createSteppedReplica();
    const capture = (): void => {
      throw new Error('no answer can be made');
    };
    replica.submit(credit('a'), 'order', { capture, release: () => {} });
    turn();
    log.sync();
    expect(fatal.map(({ message }) => message)).toEqual(['no answer can be made']);
  });

  test('a command that cannot be encoded is a fault of the caller and changes nothing', () => {
    const { replica, send, turn, log } = createSteppedReplica();
    const broken = credit('x', Number.NaN);
    expect(() => send('x', broken)).toThrow();
    send('a', credit('a'));
    turn();
    expect(log.batches[0]!.count).toBe(1);
    expect(stateOf.exchange(replica.exchange).credits.size).toBe(1);
  });
});

test.each([1, 2, 3])('the replica applies exactly what the bytes decode to, seed %i', (seed) => {
  const stepped: SteppedReplica = createSteppedReplica();
  const { send, turn, log, state, clock } = stepped;
  for (const command of openingCommands()) send('opening', command);
  turn();
  const stream = createStream(seed, () => state.exchange, clock.now() as never);
  for (let i = 0; i < 4000; i += 1) {
    send('stream', stream.next());
    if (i % 7 === 0) {
      turn();
      log.sync();
      clock.advance(40);
    }
  }
  turn();
  log.sync();
  expect(stepped.fatal).toEqual([]);
  const copy = createReplicaState(43113, testEngines);
  for (const batch of log.batches) applyBatch(copy, batch, new Map());
  expect(figuresOf(copy)).toEqual(figuresOf(state));
  expect(stateHash(copy.exchange)).toBe(stateHash(state.exchange));
  expect(priceHash(copy.exchange)).toBe(priceHash(state.exchange));
  const [copied, ended] = [copy, state].map((one) => [...rowsInOrder(one.views.endedOrders)]);
  expect(copied!.map(({ id }) => id)).toEqual(ended!.map(({ id }) => id));
});
