// Goal: the ends that a disconnection causes are bounded in each batch, come in turns, concern what
// was there when the connection ended, and are the same after a restore (COD-3, COD-5). Method:
// crowds with many orders, and a naive model that is compared after every command.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch, isBehind } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import {
  armedConnectionsMax,
  armedWithEquityMax,
  disconnectWorkMax,
} from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Money, Time } from '../../src/units/units.ts';
import { orderCommand, stopCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld, type World } from '../scenarios/world.ts';

const start = 'market BTCUSDT\nmarket ETHUSDT\nindex 60000\nindex ETHUSDT 3000';

function perform(exchange: Exchange, command: Command): void {
  const outcome = applyCommand(exchange, command, 0 as Time);
  if (outcome.kind !== 'accepted') expect(outcome).toMatchObject({ kind: 'accepted' });
}

function copyOf(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return decodeSnapshot(sections);
}

const nextBatch = (exchange: Exchange): void => beginBatch(exchange, (exchange.time + 1) as Time);

/** So many accounts with 200 orders on each of both markets, and an armed connection each. */
function crowdedWorld(size: number): World {
  const world = play(createWorld(), start);
  const { exchange } = world;
  for (let i = 0; i < size; i += 1) {
    const account = exchange.accounts.length as AccountId;
    const address = `0x${(1_000_000 + account).toString(16).padStart(40, '0')}`;
    perform(exchange, { kind: 'credit', address, amount: 9e9 as Money, reference: `crowd ${i}` });
    for (let k = 0; k < 200; k += 1) {
      const deal = { account, side: 1, lots: 1 } as const;
      perform(exchange, orderCommand({ ...deal, market: 0, ticks: 590_000 - k }));
      perform(exchange, orderCommand({ ...deal, market: 1, lots: 3, ticks: 290_000 - k }));
    }
    perform(exchange, { kind: 'armConnection', account, connection: i + 1, markets: [] });
  }
  return play(world, 'credit anna 1000\nanna buy 0.1 @ 59500 id last\nanna arm 9999');
}

test('COD-5 a command and each batch end a bounded number of orders, in turns, and a copy goes on alike', () => {
  const size = 120;
  const world = crowdedWorld(size);
  const { exchange } = world;
  const orders = exchange.orders.size;
  expect(orders).toBe(size * 400 + 1);
  play(world, 'restart -> cancelled 121');
  // Half a unit each, and no turn ends more than 200.
  const first = orders - exchange.orders.size;
  expect(first).toBeGreaterThan(disconnectWorkMax * 1.8);
  expect(first).toBeLessThan(disconnectWorkMax * 2 + 200);
  expect(isBehind(exchange)).toBe(true);
  // Anna is the last of all, and has waited for one turn of each other only.
  play(world, 'after 1\nanna order last status CANCELED reason DISCONNECT');
  expect(exchange.orders.size).toBeGreaterThan(orders / 8);
  expect(exchange.connections.turn).toBeGreaterThan(0);

  const copy = copyOf(exchange);
  expect(stateHash(copy)).toBe(stateHash(exchange));
  const [ended] = copy.connections.queue.slice(-1);
  ended!.done -= 1;
  expect(stateHash(copy)).not.toBe(stateHash(exchange));
  ended!.done += 1;
  for (let batches = 0; isBehind(exchange); batches += 1) {
    expect(batches).toBeLessThan(5);
    for (const other of [exchange, copy]) nextBatch(other);
    expect(stateHash(copy)).toBe(stateHash(exchange));
    expect(priceHash(copy)).toBe(priceHash(exchange));
    expect(checkInvariants(copy).failures).toEqual([]);
  }
  expect(exchange.orders.size).toBe(0);
  expect(exchange.connections).toMatchObject({ queue: [], turn: 0 });
});

test('COD-5 while a turn waits, what is placed stays, and what opens is ended although it fires first', () => {
  const world = crowdedWorld(120);
  play(
    world,
    `
    credit ben 100000
    ben buy 0.1 @ 59000 id before
    ben trigger buy 0.1 STOP stop 61000 @ 58000 algo id opens
    ben arm 5000 BTCUSDT
    restart -> cancelled 122
    ben order before status NEW
    ben modify before 0.2 @ 58500
    ben buy 0.1 @ 58900 id after
    ben trigger buy 0.1 STOP_MARKET stop 62000 id later
    `,
  );
  const { exchange } = world;
  // A tick in the same batch fires the trigger before its turn.
  const prices = [
    { market: 0 as MarketId, source: 'sim', ticks: 610_000 as never, observedAt: exchange.time },
  ];
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  play(world, 'ben trigger opens status TRIGGERED\nben has orders 3\nafter 1');
  play(
    world,
    `
    ben order before status CANCELED reason DISCONNECT
    ben trigger opens status FINISHED
    ben order after status NEW
    ben trigger later status NEW
    ben has orders 1
    `,
  );
});

test('COD-5 AUTH-7b each turn reports what it has ended and what it cost', () => {
  const world = play(createWorld(), `${start}\ncredit anna 10000\nanna arm 1`);
  play(world, 'anna buy 0.1 @ 59000\nanna buy 0.1 @ 59000\nanna buy 1 ETHUSDT @ 2900');
  play(world, 'disconnect 1');
  const { id: account } = accountOf(world, 'anna');
  const reported = world.recent.filter(({ kind }) => kind === 'disconnectApplied');
  expect(reported).toEqual([
    { kind: 'disconnectApplied', account, market: 0, cancelled: 2, work: 2 },
    { kind: 'disconnectApplied', account, market: 1, cancelled: 1, work: 1 },
  ]);
  expect(world.recent[0]).toEqual({ kind: 'connectionEnded', account, connection: 1 });
});

test('COD-3 capacityReached: the last half of all places is for a first connection with something to cancel', () => {
  const world = play(createWorld(), `${start}\ncredit anna 1000\ncredit ben 1000\nben arm 1`);
  const { exchange } = world;
  const { armed } = exchange.connections;
  const arm = (name: string, connection: number): unknown => {
    const { id: account } = accountOf(world, name);
    return applyCommand(
      exchange,
      { kind: 'armConnection', account, connection, markets: [] },
      0 as Time,
    );
  };
  const full = { rejection: { reason: 'capacityReached', limit: 'armed connections' } };
  const pretend = (size: number): void => {
    Object.defineProperty(armed, 'size', { value: size, configurable: true });
  };
  play(world, 'anna buy 0.001 @ 59000');
  pretend(armedWithEquityMax);
  expect(arm('ben', 2)).toMatchObject(full);
  // A present one gets another choice of markets.
  expect(arm('ben', 1)).toEqual({ kind: 'accepted' });
  expect(arm('anna', 3)).toEqual({ kind: 'accepted' });
  expect(arm('anna', 4)).toMatchObject(full);
  pretend(armedConnectionsMax);
  play({ ...world, exchange: realSize(exchange) }, 'anna disarm 3');
  pretend(armedConnectionsMax);
  expect(arm('anna', 3)).toMatchObject(full);
});

/** Counts what there is, so that the checks after a step hold again. */
function realSize(exchange: Exchange): Exchange {
  delete (exchange.connections.armed as { size?: number }).size;
  return exchange;
}

/** What the rule says, from its own lists: each order by its client id. */
type Model = {
  readonly armed: Map<number, { account: AccountId; markets: readonly MarketId[] }>;
  readonly open: Map<string, { account: AccountId; market: MarketId; stays: boolean }>;
};

function drawStep(prng: Prng, model: Model, step: number): Command {
  const account = (1 + prng.below(4)) as AccountId;
  const market = prng.below(2) as MarketId;
  const clientOrderId = `o${step}`;
  const draw = prng.below(12);
  const ticks = market === 0 ? 550_000 + prng.below(40_000) : 280_000 + prng.below(10_000);
  if (draw < 5) {
    model.open.set(clientOrderId, { account, market, stays: false });
    const lots = market === 0 ? 1 : 3;
    return orderCommand({ account, market, side: 1, lots, ticks, clientOrderId });
  }
  if (draw < 8) {
    const reduceOnly = prng.below(2) === 0;
    model.open.set(clientOrderId, { account, market, stays: reduceOnly });
    const route = prng.below(2) === 0 ? 'algo' : 'order';
    // Every account is long on both markets, so that a selling stop can reduce.
    const stop = { account, market, side: -1, lots: 5, stopTicks: ticks / 2 } as const;
    return stopCommand({ ...stop, reduceOnly, route, clientOrderId });
  }
  const connection = account * 10 + prng.below(2);
  if (draw < 10) {
    const markets = prng.below(2) === 0 ? [] : [market];
    model.armed.set(connection, { account, markets });
    return { kind: 'armConnection', account, connection, markets };
  }
  if (draw === 10 && prng.below(2) === 0) {
    model.armed.delete(connection);
    return { kind: 'disarmConnection', account, connection };
  }
  const connections = prng.below(9) === 0 ? undefined : [connection];
  for (const id of connections ?? [...model.armed.keys()]) {
    const ended = model.armed.get(id);
    model.armed.delete(id);
    for (const [name, order] of ended === undefined ? [] : model.open) {
      const { markets } = ended!;
      const named = markets.length === 0 || markets.includes(order.market);
      if (order.account === ended!.account && named && !order.stays) model.open.delete(name);
    }
  }
  return { kind: 'endConnections', connections };
}

test.each([1, 2, 3, 4])(
  'COD-1 COD-2 a naive model has the same orders after every command, seed %i',
  (seed) => {
    const world = play(createWorld(), start);
    const { exchange } = world;
    const prng = createPrng(seed);
    play(world, 'credit maker 1000000');
    for (const name of ['anna', 'ben', 'cleo', 'dora']) {
      play(world, `credit ${name} 1000000`);
      play(world, `maker sell 0.1 @ 60000\n${name} buy 0.1 @ 60000`);
      play(world, `maker sell 1 ETHUSDT @ 3000\n${name} buy 1 ETHUSDT @ 3000`);
    }
    const model: Model = { armed: new Map(), open: new Map() };
    const first = accountOf(world, 'anna').id;
    for (let step = 0; step < 600; step += 1) {
      const drawn = drawStep(prng, model, step);
      const shifted = 'account' in drawn ? { ...drawn, account: drawn.account + first - 1 } : drawn;
      const outcome = applyCommand(exchange, shifted as Command, 0 as Time);
      if (outcome.kind === 'rejected') {
        // Only the bounds of open orders and triggers may refuse.
        expect(['openOrdersLimit', 'triggersLimit']).toContain(outcome.rejection.reason);
        model.open.delete(`o${step}`);
      }
      exchange.events = [];
      const names = [...exchange.accounts].flatMap((account) => [
        ...(account?.clientOrderIds.keys() ?? []),
      ]);
      expect(names.sort(), `step ${step}`).toEqual([...model.open.keys()].sort());
      expect([...exchange.connections.armed.keys()]).toEqual([...model.armed.keys()]);
    }
    expect(checkInvariants(exchange).failures).toEqual([]);
  },
);
