// The target of work: states that make commands expensive (deep books of small orders, orders and
// triggers of many accounts at one price, the highest number of orders of one account), and
// commands that use them, with the engine alone. The time of a command is compared with its charged
// weight: that of its row, and a sixteenth of its units of work.

import { existsSync, readFileSync } from 'node:fs';
import { applyCommand, beginBatch, testOrder } from '../src/engine/apply.ts';
import type { Command, PlaceOrder } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import type { Side, TimeInForce } from '../src/engine/orderTypes.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../src/units/units.ts';
import { streamTerms } from '../test/engine/commandStream.ts';
import { orderCommand, stopCommand } from '../test/fixtures/orderCommands.ts';
import { createDraw, type Draw } from './draw.ts';
import { demand, type Target, tryAlone } from './target.ts';

/** Microseconds for each unit of weight, and the fixed time that any command may take. */
const usPerWeight = 50;
/** The time to wake up and to read the clock, for a thread whose caches others have used. */
const usBeside = 200;
/** This many units of work are one unit of weight. */
const workPerWeight = 16;
/** An index tick has no weight. */
const tickUs = 50_000;
const repetitions = 4;
const commandsPerState = 16;
const warmStates = 6;

export type WorkOptions = {
  /** How many times its budget a command may take. */
  readonly margin: number;
};

export const workTarget: Target = createWorkTarget({ margin: 1 });

export function createWorkTarget({ margin }: WorkOptions): Target {
  return async (run) => {
    const worst: Record<string, number> = {};
    // The compiler must have seen the commands before one is timed.
    for (let seed = 1; seed <= warmStates; seed += 1) playState(seed);
    const report = await tryAlone('work', run, (seed) => tryState(seed, { margin, worst }));
    return { ...report, figures: { worst_ratio: worst } };
  };
}

type Trying = { readonly margin: number; readonly worst: Record<string, number> };

/**
 * One state and its commands. A command that seems too expensive is repeated from the beginning.
 */
function tryState(seed: number, { margin, worst }: Trying): string {
  let best = playState(seed);
  for (let again = 1; again < repetitions; again += 1) {
    if (best.every(({ us, budgetUs }) => us <= budgetUs)) break;
    const next = playState(seed);
    best = best.map((each, at) => (next[at]!.us < each.us ? next[at]! : each));
  }
  let dearest = best[0]!;
  for (const step of best) {
    const ratio = Number((step.us / step.budgetUs).toPrecision(3));
    worst[step.kind] = Math.max(worst[step.kind] ?? 0, ratio);
    if (step.us / step.budgetUs > dearest.us / dearest.budgetUs) dearest = step;
  }
  const { kind, us, budgetUs, units, about } = dearest;
  demand(us <= margin * budgetUs, () => {
    const ratio = (us / budgetUs).toPrecision(3);
    return (
      `${kind} over its budget, ratio ${ratio}: ${Math.round(us)} µs where ` +
      `${Math.round(budgetUs)} µs are its budget, with ${units} units of work: ${about}`
    );
  });
  return `dearest ${kind}`;
}

type Step = {
  readonly kind: string;
  readonly us: number;
  readonly budgetUs: number;
  readonly units: number;
  readonly about: string;
};

/** The same steps for the same seed. */
function playState(seed: number): readonly Step[] {
  const draw = createDraw(seed);
  const world = buildState(draw);
  return Array.from({ length: commandsPerState }, () => {
    const made = drawCommand(draw, world);
    const { us, units } = perform(world, made);
    const budgetUs =
      made.weight === 0 ? tickUs : usBeside + usPerWeight * (made.weight + units / workPerWeight);
    return { kind: made.kind, us, budgetUs, units, about: `${made.kind}, ${world.about}` };
  });
}

const market = 0 as MarketId;
const start = 600_000;
const perAccount = 200;

type World = {
  readonly exchange: Exchange;
  readonly makers: number;
  /** The account whose commands are measured; all accounts before it are makers. */
  readonly taker: AccountId;
  readonly asks: number;
  readonly about: string;
  time: number;
};

function buildState(draw: Draw): World {
  const exchange = createExchange(43113);
  const makers = draw.pick([1, 5, 20, 40]);
  const levels = draw.pick([1, 10, 200, 5000]);
  const perMaker = draw.pick([20, perAccount]);
  const stops = draw.pick([0, 1, 4]);
  const stopTerms = draw.pick(['FOK', 'IOC', 'GTC'] as const);
  const world: World = {
    ...{ exchange, makers, asks: makers * perMaker, time: 1_760_000_000_000 },
    taker: (makers + 1) as AccountId,
    about: `${makers} makers × ${perMaker} asks on ${levels} levels, ${stops} × 200 stops ${stopTerms}`,
  };
  beginBatch(exchange, world.time as Time);
  const bounds = { maxOrderSize: 1e15 as Money, openInterestCap: 1e15 as Money };
  const terms = { ...streamTerms, ...bounds, indexSources: [{ source: 'fuzz', weight: 1 }] };
  const grid = { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } } as const;
  const names = { symbol: 'BTCUSDT', baseAsset: 'BTC' };
  must(world, { kind: 'listMarket', ...names, ...grid, terms, status: 'TRADING' });
  tick(world, start);
  for (let account = 1; account <= makers + 6; account += 1) {
    const amount = 50_000_000_000_000 as Money;
    const address = `0x${account.toString(16).padStart(40, '0')}`;
    must(world, { kind: 'credit', address, amount, reference: `${account}` });
  }
  for (let maker = 1; maker <= makers; maker += 1) {
    for (let at = 0; at < perMaker; at += 1) {
      const ticks = start + 100 + ((maker * perMaker + at) % levels);
      must(world, order(maker as AccountId, -1, { lots: 1, ticks }));
    }
  }
  // Also the taker's own orders, which must not meet its others.
  for (let at = 0; at < draw.pick([0, perAccount - 10]); at += 1) {
    const own = order(world.taker, 1, { lots: 1, ticks: start - 100 - at });
    must(world, { ...own, clientOrderId: `own-${at}` });
  }
  for (let account = 0; account < stops; account += 1) {
    for (let at = 0; at < perAccount; at += 1) {
      const terms = { type: 'STOP', timeInForce: stopTerms, workingType: 'MARK_PRICE' } as const;
      const size = { lots: 2 * world.asks, ticks: (start + 6000) as Ticks, stopTicks: start + 50 };
      const owner = makers + 2 + account;
      must(world, stopCommand({ account: owner, market, side: 1, ...terms, ...size } as never));
    }
  }
  return world;
}

type Size = { readonly lots: number; readonly ticks: number; readonly timeInForce?: TimeInForce };

function order(account: AccountId, side: Side, size: Size): PlaceOrder {
  return orderCommand({ account, market, side, ...size });
}

type Made = {
  readonly kind: string;
  readonly command: Command;
  /** The weight of its row; 0: an index tick. */
  readonly weight: number;
  /** Tested, with nothing stored. */
  readonly tests?: boolean;
};

const kinds = {
  fok: 4,
  test: 4,
  ioc: 2,
  market: 2,
  rest: 2,
  modify: 1,
  cancelAll: 1,
  cancels: 1,
  batch: 2,
  countdown: 1,
  tick: 2,
  crossingTick: 1,
} as const;

function drawCommand(draw: Draw, world: World): Made {
  const { taker, asks } = world;
  const kind = draw.weighed(kinds);
  const lots = draw.pick([1, Math.max(1, asks >> 1), asks, asks + 1, 2 * asks]);
  const far = start + draw.pick([100, 150, 6000]);
  // A maker meets its own orders.
  const buyer = draw.once(4) ? (1 as AccountId) : taker;
  const buy = (timeInForce: TimeInForce): PlaceOrder =>
    order(buyer, 1, { lots, ticks: far, timeInForce });
  const rest = order(taker, 1, { lots: 1, ticks: start - 5 });
  switch (kind) {
    case 'fok':
      return {
        kind,
        command: order(taker, 1, { lots: asks + 1, ticks: far, timeInForce: 'FOK' }),
        weight: 2,
      };
    case 'test':
      return { kind, command: buy(draw.pick(['FOK', 'IOC', 'GTC'])), weight: 2, tests: true };
    case 'ioc':
      return { kind, command: buy('IOC'), weight: 2 };
    case 'market': {
      const terms = { type: 'MARKET', ticks: 0 as Ticks, maxSlippage: 1_000_000 as Rate } as const;
      return { kind, command: { ...buy('IOC'), ...terms }, weight: 2 };
    }
    case 'rest':
      return { kind, command: rest, weight: 2 };
    case 'modify': {
      const named = { clientOrderId: `own-${draw.below(perAccount)}` };
      const to = { side: 1, lots: lots as Lots, ticks: far as Ticks } as const;
      const command = { kind: 'modifyOrder', account: taker, market, order: named, ...to } as const;
      return { kind, command, weight: 2 };
    }
    case 'cancels': {
      const items = Array.from({ length: 10 }, (_, at) => {
        const named = { clientOrderId: `own-${at}` };
        return { kind: 'cancelOrder', account: taker, market, order: named } as const;
      });
      return { kind, command: { kind: 'batch', items }, weight: 5 };
    }
    case 'cancelAll':
      return { kind, command: { kind: 'cancelAllOrders', account: taker, market }, weight: 1 };
    case 'batch':
      return {
        kind,
        command: { kind: 'batch', items: Array.from({ length: 5 }, () => buy('FOK')) },
        weight: 6,
      };
    case 'countdown': {
      const milliseconds = draw.pick([0, 1000, 86_400_000]);
      return {
        kind,
        command: { kind: 'setCountdown', account: taker, market, milliseconds },
        weight: 1,
      };
    }
    case 'tick':
      return { kind, command: indexTick(world, start), weight: 0 };
    case 'crossingTick':
      return { kind, command: indexTick(world, start + 80), weight: 0 };
  }
}

function indexTick(world: World, index: number): Command {
  world.time += 250;
  const observedAt = world.time as Time;
  return {
    kind: 'indexTick',
    prices: [{ market, source: 'fuzz', ticks: index as Ticks, observedAt }],
  };
}

function tick(world: World, index: number): void {
  const command = indexTick(world, index);
  beginBatch(world.exchange, world.time as Time);
  must(world, command);
}

function must(world: World, command: Command): void {
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  world.exchange.events = [];
  demand(outcome.kind === 'accepted', () => `not made: ${JSON.stringify({ command, outcome })}`);
}

/**
 * What the engine counts, in sixteenths of a unit; an engine that counts nothing charges nothing.
 */
type Counting = { readonly work?: number };
const partsPerUnit = 16;

const schedstat = '/proc/thread-self/schedstat';
const pause = new Int32Array(new SharedArrayBuffer(4));
const countsThreads = existsSync(schedstat);

/** Microseconds of processor time of this thread; of the clock where the platform has none. */
function threadUs(): number {
  if (!countsThreads) return performance.now() * 1000;
  // The platform updates a thread's time when the thread falls asleep.
  Atomics.wait(pause, 0, 0, 1);
  return Number(readFileSync(schedstat, 'latin1').split(' ')[0]) / 1000;
}

function perform(world: World, { command, tests = false }: Made): { us: number; units: number } {
  const { exchange } = world;
  const begun = threadUs();
  let tested: unknown;
  if (command.kind === 'indexTick') beginBatch(exchange, world.time as Time);
  if (tests) tested = testOrder(exchange, command as PlaceOrder);
  else applyCommand(exchange, command, 0 as Time);
  const us = threadUs() - begun;
  const counted = ((exchange as Counting).work ?? 0) / partsPerUnit;
  exchange.events = [];
  return { us, units: (tested as Counting | undefined)?.work ?? counted };
}
