// The exchange of the benchmarks of triggers: its markets, money, and index ticks that are
// measured.

import { applyCommand, beginBatch } from '../src/engine/apply.ts';
import type { Command } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import type { MarketId, Money, Ticks, Time } from '../src/units/units.ts';
import { check } from './report.ts';
import { benchTerms } from './risk.ts';

export type World = { readonly exchange: Exchange; time: number };
/** How long a tick took, and how many triggers ended and were tried in it. */
export type Tick = { readonly ms: number; readonly fired: number; readonly tried: number };

/** The first market. */
export const market = 0 as MarketId;

/** An exchange with these markets. */
export function openTriggerWorld(assets: readonly string[]): World {
  const world: World = { exchange: createExchange(43113), time: 1_760_000_000_000 };
  beginBatch(world.exchange, world.time as Time);
  const grid = { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } };
  for (const baseAsset of assets) {
    const names = { symbol: `${baseAsset}USDT`, baseAsset };
    perform(world, { kind: 'listMarket', ...names, ...grid, terms: benchTerms, status: 'TRADING' });
  }
  return world;
}

export function perform(world: World, command: Command): void {
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  const described = outcome.kind === 'rejected' ? JSON.stringify(outcome.rejection) : '';
  check(outcome.kind === 'accepted', `${command.kind} was rejected: ${described}`);
  world.exchange.events = [];
}

export function credit(world: World, address: string, amount: number): void {
  const reference = `credit ${address}`;
  perform(world, { kind: 'credit', address, amount: amount as Money, reference });
}

/** A tick 250 ms later, by default of the first market. */
export function tick(world: World, index: number, ofMarkets: readonly MarketId[] = [market]): Tick {
  const { exchange } = world;
  world.time += 250;
  beginBatch(exchange, world.time as Time);
  exchange.events = [];
  const observedAt = world.time as Time;
  const ticks = Math.round(index) as Ticks;
  const prices = ofMarkets.map((one) => ({ market: one, source: 'bench', ticks, observedAt }));
  const begun = process.threadCpuUsage();
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  const { user, system } = process.threadCpuUsage(begun);
  const ms = (user + system) / 1000;
  let fired = 0;
  let tried = 0;
  for (const { kind } of exchange.events) {
    if (kind === 'triggerEnded') fired += 1;
    else if (kind === 'triggerTried') tried += 1;
  }
  exchange.events = [];
  return { ms, fired, tried };
}

export const longest = (ticks: readonly Tick[]): number =>
  Number(Math.max(...ticks.map(({ ms }) => ms)).toFixed(2));
