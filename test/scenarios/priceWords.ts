// The words of a scenario for prices: several sources in one index tick, a source that states its
// price for a while, and what the gate, the ages and the breaker make of it. The grammar is in
// docs/rules/README.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { IndexPrice } from '../../src/engine/command.ts';
import { isMarketLive, type Market, restrictionOf } from '../../src/engine/market.ts';
import { settlementTicks } from '../../src/engine/settlementTicks.ts';
import type { Ticks, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { marketOf, option, scaled, ticksText, type World } from './world.ts';

/** Runs a step that begins with a word about prices; false: not such a step. */
export function actOnPrices(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'prices':
      runPrices(world, rest);
      return true;
    case 'steady':
      runSteady(world, rest);
      return true;
    default:
      return false;
  }
}

/** Checks the effects of prices; false: the step begins with none of these words. */
export function expectOfPrices(world: World, words: readonly string[], where: string): boolean {
  const [first, ...rest] = words;
  if (first !== 'events') return false;
  for (let i = 0; i < rest.length; i += 2) {
    const [kind, count] = [rest[i]!, rest[i + 1]!];
    if (!eventKinds.has(kind)) throw new Error(`${where}: ${kind} is no event`);
    const reported = world.events.filter((event) => event.kind === kind).length;
    expect(`${kind} ${reported}`, where).toBe(`${kind} ${count}`);
  }
  return true;
}

/** As the types of the engine's events name them, so that a misspelt one is not 0 events. */
const eventKinds = new Set(
  ['event', 'riskEvent'].flatMap((name) => {
    const path = join(import.meta.dirname, `../../src/engine/${name}.ts`);
    return [...readFileSync(path, 'utf8').matchAll(/kind: '(\w+)'/g)].map(([, kind]) => kind!);
  }),
);

/** The figures of a market that the rules of prices speak of. Times are milliseconds from now. */
export function priceFigures({ exchange }: World, market: Market): Record<string, string> {
  const { prices, dues, figures } = market;
  const { time } = exchange;
  return {
    restriction: restrictionOf(market, time),
    live: String(isMarketLive(market, time)),
    age: String(time - prices.indexAt),
    breaker: String(Math.max(0, prices.breakerUntil - time)),
    pending: String(prices.pending.length),
    lastRegular: ticksText(market, figures.lastRegular),
    fundedAt: String(dues.fundedAt),
    fundingDue: dues.funding === 0 ? 'none' : String(dues.funding),
    delivery: dues.delivery ? 'due' : dues.deliveryTimer === 0 ? 'none' : 'waits',
    minutes: String(market.indexMinutes.length),
    settlement: ticksText(market, settlementTicks(market)),
    maintenanceRate: String(market.terms.maintenanceMarginRate),
    brackets: market.terms.brackets
      .map(({ upTo, rate }) => `${upTo / 1e6}:${rate / 1e8}`)
      .join(','),
  };
}

/** `SOURCE=PRICE … [after MS]`: one index tick, 250 ms later or after that time. */
function runPrices(world: World, words: string[]): void {
  const elapsedMs = Number(option(words, 'after') ?? 250);
  const market = marketOf(world, words);
  beginBatch(world.exchange, (world.exchange.time + elapsedMs) as Time);
  const observedAt = world.exchange.time;
  const prices = words.map((word) => {
    const [source, price] = word.split('=');
    return { market: market.id, source: source!, ticks: ticksOf(market, price!), observedAt };
  });
  submit(world, prices);
}

/** `PRICE for MS [source S] [every MS]`: the price is stated again and again, to the end. */
function runSteady(world: World, words: string[]): void {
  const source = option(words, 'source') ?? 'sim';
  const durationMs = Number(option(words, 'for'));
  const everyMs = Number(option(words, 'every') ?? 1000);
  const market = marketOf(world, words);
  const ticks = ticksOf(market, words[0]!);
  const end = world.exchange.time + durationMs;
  while (world.exchange.time < end) {
    beginBatch(world.exchange, Math.min(world.exchange.time + everyMs, end) as Time);
    submit(world, [{ market: market.id, source, ticks, observedAt: world.exchange.time }]);
  }
}

function ticksOf(market: Market, price: string): Ticks {
  return scaled(price, market.tick.decimals, market.tick.step) as Ticks;
}

function submit(world: World, prices: readonly IndexPrice[]): void {
  world.last = applyCommand(world.exchange, { kind: 'indexTick', prices }, 0 as Time);
  expectSame(world.last.kind, 'accepted');
}
