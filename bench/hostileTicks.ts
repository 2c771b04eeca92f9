// The longest index tick with many waiting triggers, in the engine alone. First a fifth of them
// become due at once; then as many trailing triggers wait that cannot fire, and ticks change
// nothing. Times are processor time of the thread: others may be busy.

import { applyCommand, beginBatch } from '../src/engine/apply.ts';
import type { Command, PlaceTrigger } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import { checkInvariants } from '../src/engine/invariants/invariants.ts';
import { warmEngine } from '../src/replica/warmEngine.ts';
import type { AccountId, MarketId, Money, Rate, Ticks, Time } from '../src/units/units.ts';
import { streamTerms } from '../test/engine/commandStream.ts';
import { orderCommand, stopCommand } from '../test/fixtures/orderCommands.ts';
import { check, grouped, median, say } from './report.ts';

const market = 0 as MarketId;
const startTicks = 600_000;
const perAccount = 200;
const beatMs = 250;
/** Millionths of a USDT. */
const traderMoney = 100_000_000_000;
const makerMoney = 500_000_000_000_000;
/** The number of ticks in which everything due must have fired. */
const ticksMax = 100_000;

type World = { readonly exchange: Exchange; time: number; accounts: number };

/** Milliseconds of processor time of the longest tick. */
export function measureTicks(triggers: number): { readonly longestMs: number } {
  // As a start does.
  warmEngine();
  const due = Math.round(triggers / 5);
  const firing = measureFiring(triggers, due);
  const trailing = measureTrailing(triggers);
  return { longestMs: Number(Math.max(firing, trailing).toFixed(1)) };
}

function measureFiring(triggers: number, due: number): number {
  const world = openWorld(Math.ceil(triggers / perAccount));
  for (let i = 0; i < triggers; i += 1) {
    const stopTicks = startTicks + (i < due ? 500 : 100_000 + (i % 50_000));
    placeStop(world, i, { stopTicks });
  }
  tick(world, startTicks);
  const times: number[] = [];
  let [fired, ticks] = [0, 0];
  for (; fired < due && ticks < ticksMax; ticks += 1) {
    const done = tick(world, startTicks + 1000);
    times.push(done.ms);
    fired += done.fired;
  }
  check(fired === due, `${fired} of ${due} triggers fired`);
  const { ok, failures } = checkInvariants(world.exchange);
  check(ok, failures.join('; '));
  const longest = Math.max(...times);
  say(`${grouped(triggers)} triggers, ${grouped(due)} due at once:`);
  say(`  fired in ${ticks} ticks, the longest ${longest.toFixed(1)} ms`);
  return longest;
}

function measureTrailing(triggers: number): number {
  const world = openWorld(Math.ceil(triggers / perAccount));
  for (let i = 0; i < triggers; i += 1) {
    const trailing = { type: 'TRAILING_STOP_MARKET', callbackRate: 1_000_000 as Rate } as const;
    placeStop(world, i, {
      stopTicks: 0,
      activationTicks: (startTicks + 100_000) as Ticks,
      ...trailing,
    });
  }
  const times = Array.from({ length: 40 }, (_, i) => tick(world, startTicks + (i % 3)).ms);
  const longest = median(times);
  say(
    `${grouped(triggers)} trailing triggers that are not active: a tick ${longest.toFixed(1)} ms`,
  );
  return longest;
}

type Stop = Partial<Omit<PlaceTrigger, 'stopTicks'>> & { readonly stopTicks: number };

function placeStop(world: World, at: number, stop: Stop): void {
  const account = 1 + Math.floor(at / perAccount);
  const working = {
    workingType: 'MARK_PRICE',
    side: stop.callbackRate === undefined ? 1 : -1,
  } as const;
  perform(world, stopCommand({ account, market, lots: 1, ...working, ...stop } as never));
}

function openWorld(accounts: number): World {
  const exchange = createExchange(43113);
  const world: World = { exchange, time: 1_760_000_000_000, accounts };
  beginBatch(exchange, world.time as Time);
  const openInterestCap = 1_000_000_000_000_000 as Money;
  const terms = { ...streamTerms, openInterestCap, indexSources: [{ source: 'bench', weight: 1 }] };
  const grid = { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } };
  const names = { symbol: 'BTCUSDT', baseAsset: 'BTC' };
  perform(world, { kind: 'listMarket', ...names, ...grid, terms, status: 'TRADING' });
  tick(world, startTicks);
  for (let i = 0; i <= accounts; i += 1) {
    const amount = (i === accounts ? makerMoney : traderMoney) as Money;
    perform(world, { kind: 'credit', address: `account ${i}`, amount, reference: `${i}` });
  }
  // A book that takes the orders of fired triggers.
  const maker = (accounts + 1) as AccountId;
  for (let level = 0; level < 100; level += 1) {
    const sell = { side: -1, lots: 500, ticks: startTicks + 2000 + level } as const;
    perform(world, orderCommand({ account: maker, market, ...sell }));
  }
  return world;
}

function perform(world: World, command: Command): void {
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  const why = outcome.kind === 'rejected' ? JSON.stringify(outcome.rejection) : '';
  check(outcome.kind === 'accepted', `${command.kind} was rejected: ${why}`);
  world.exchange.events = [];
}

function tick(world: World, index: number): { ms: number; fired: number } {
  const { exchange } = world;
  world.time += beatMs;
  const time = world.time as Time;
  const prices = [{ market, source: 'bench', ticks: index as Ticks, observedAt: time }];
  exchange.events = [];
  const begun = process.threadCpuUsage();
  // Triggers that a tick left over may fire when the next batch begins.
  beginBatch(exchange, time);
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  const { user, system } = process.threadCpuUsage(begun);
  const ms = (user + system) / 1000;
  const fired = exchange.events.filter(({ kind }) => kind === 'triggerFired').length;
  exchange.events = [];
  return { ms, fired };
}
