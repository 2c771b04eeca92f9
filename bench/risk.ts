// What an index tick costs, by the number of open positions: a tick that affects no account, and
// one that liquidates and fires one in a hundred, up to what a tick may fire. Every account has its
// own position and stop.

import { applyCommand, beginBatch } from '../src/engine/apply.ts';
import type { Command } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import { checkInvariants } from '../src/engine/invariants/invariants.ts';
import type { MarketTerms } from '../src/engine/marketTerms.ts';
import { isDue } from '../src/engine/triggers/dueQueue.ts';
import { warmEngine } from '../src/replica/warmEngine.ts';
import type { AccountId, MarketId, Money, Rate, Ticks, Time } from '../src/units/units.ts';
import { orderCommand, stopCommand } from '../test/fixtures/orderCommands.ts';
import { riskTerms } from '../test/fixtures/riskTerms.ts';
import { check, grouped, median, say, sayConditions, sayResult } from './report.ts';

const usage = 'risk takes --positions N --rounds N --sizes N,N,…';

export const benchTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: 1_000_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: 1_000_000_000_000_000 as Money,
  openInterestCap: 1_000_000_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: 250_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'bench', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  ...riskTerms(1_000_000 as Rate),
};

const market = 0 as MarketId;
/** 60,000 USDT on a tick of 0.1; a position is 0.01 coins of a lot of 0.001. */
const startTicks = 600_000;
const positionLots = 10;
const grain = 100;
const affectedPart = 100;
/** Accounts that fail one after the other begin to fail this many ticks below the start. */
const firstFailure = 12_000;
/**
 * The distance between two rounds. Without bids it is large enough that equity falls below two
 * thirds of the maintenance margin.
 */
const ticksBetween = { book: 200, deleveraging: 5000 };

/** What takes the liquidated positions: a maker's bids, or the winners on the other side. */
type Way = keyof typeof ticksBetween;

type World = {
  readonly exchange: Exchange;
  time: number;
  index: number;
  readonly maker: AccountId;
};

/** Prints the cost of quiet and of crashing ticks, and how it grows. */
export async function runRiskBench(args: readonly string[]): Promise<void> {
  const { positions, rounds, sizes } = readOptions(args);
  sayConditions('risk', {
    accounts:
      'each one position of 0.01 coins, leverage 50, and one reduce-only stop, all in one market',
    'cascade tick': 'one in a hundred of the accounts falls below maintenance, as many stops fire',
    book: 'a maker of the house bids for all of it at the new mark',
    deleveraging: 'nobody bids and the fund is empty: the other side is ranked and closed',
    rounds: `${rounds} cascades on one exchange, each after quiet ticks; the first and the median`,
    engine: 'warmed as a start of the program warms it, and by the orders of the world',
  });
  warmEngine();
  const main = measure(positions, rounds, 'book');
  const alone = measure(positions, 5, 'deleveraging');
  const grown = sizes.map((size) => ({ positions: size, ...measure(size, rounds, 'book') }));
  sayResult({
    bench: 'risk',
    positions,
    triggers: positions,
    affected: positions / affectedPart,
    first_cascade_ms: main.first_cascade_ms,
    cascade_ms: main.cascade_ms,
    cascade_cpu_ms: main.cascade_cpu_ms,
    quiet_tick_ms: main.quiet_tick_ms,
    deleveraging_cascade_ms: alone.cascade_ms,
    cost_by_positions: grown,
  });
}

function readOptions(args: readonly string[]) {
  const options = { positions: 100_000, rounds: 7, sizes: [1000, 10_000, 100_000, 1_000_000] };
  for (let i = 0; i < args.length; i += 2) {
    const values = (args[i + 1] ?? '').split(',').map(Number);
    const valid = values.every((value) => Number.isSafeInteger(value) && value >= 1);
    if (!valid) throw new Error(`${usage}; ${args[i]} wants whole numbers`);
    if (args[i] === '--positions') options.positions = values[0]!;
    else if (args[i] === '--rounds') options.rounds = values[0]!;
    else if (args[i] === '--sizes') options.sizes = values;
    else throw new Error(`${usage}; not ${args[i]}`);
  }
  return options;
}

function measure(positions: number, rounds: number, way: Way) {
  const affected = Math.max(1, Math.round(positions / affectedPart));
  const world = build({ positions, affected, rounds, way });
  const cascades: number[] = [];
  let cpuMs = 0;
  const quiets: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const mark = crashTicks(round, way);
    if (way === 'book') bid(world, mark, affected * (positionLots + 1));
    for (let i = 0; i < 20; i += 1) quiets.push(tick(world, world.index).ms);
    const begun = process.threadCpuUsage();
    const { ms, liquidated, fired: firedAtOnce } = tick(world, mark);
    const { user, system } = process.threadCpuUsage(begun);
    if (round > 0 || rounds === 1) cpuMs += (user + system) / 1000;
    check(liquidated === affected, `${liquidated} liquidated instead of ${affected}`);
    // Stops wait while there are no bids (TRG-8).
    if (way === 'deleveraging') bid(world, mark, affected);
    // A tick fires only a bounded number; the others fire in the next ticks.
    let fired = firedAtOnce;
    while (isDue(world.exchange)) fired += tick(world, world.index).fired;
    check(fired === affected, `${fired} stops fired instead of ${affected}`);
    cascades.push(ms);
  }
  const { ok, failures } = checkInvariants(world.exchange);
  check(ok, failures.join('; '));
  const figures = {
    first_cascade_ms: Number(cascades[0]!.toFixed(3)),
    cascade_ms: Number(median(cascades).toFixed(3)),
    cascade_cpu_ms: Number((cpuMs / Math.max(1, rounds - 1)).toFixed(2)),
    quiet_tick_ms: Number(median(quiets).toFixed(4)),
    us_per_affected: Number(((median(cascades) * 1000) / affected).toFixed(2)),
  };
  const each = `${figures.us_per_affected} µs for each of ${grouped(affected)} affected`;
  const described = `${grouped(positions)} positions, ${way}`;
  say(`  ${described}: cascade ${figures.cascade_ms} ms (${each}),`);
  say(`    the first ${figures.first_cascade_ms} ms; processor time of one of the others,`);
  say(`    on average, ${figures.cascade_cpu_ms} ms; quiet tick ${figures.quiet_tick_ms} ms`);
  return figures;
}

/** The lowest mark at which the accounts of a round do not fail yet. */
const failureTicks = (round: number, way: Way): number =>
  startTicks - firstFailure - round * ticksBetween[way];

/** The mark of a round's cascade: its accounts fail, those of the next round do not. */
const crashTicks = (round: number, way: Way): number =>
  failureTicks(round, way) - (way === 'book' ? 1 : ticksBetween.deleveraging - 500);

type Size = {
  readonly positions: number;
  readonly affected: number;
  readonly rounds: number;
  readonly way: Way;
};

function build({ positions, affected, rounds, way }: Size): World {
  const exchange = createExchange(43113);
  const world: World = {
    exchange,
    time: 1_760_000_000_000,
    index: startTicks,
    maker: 1 as AccountId,
  };
  beginBatch(exchange, world.time as Time);
  const grid = { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } };
  const names = { symbol: 'BTCUSDT', baseAsset: 'BTC' };
  perform(world, { kind: 'listMarket', ...names, ...grid, terms: benchTerms, status: 'TRADING' });
  tick(world, startTicks);
  credit(world, 'maker', 1_000_000_000_000_000);
  perform(world, { kind: 'flagAccount', address: 'maker', house: true, feeTier: undefined });
  const notional = startTicks * positionLots * grain;
  const longs = Math.ceil(positions / 2);
  for (let i = 0; i < longs; i += 1) {
    const short = (i + 2) as AccountId;
    credit(world, `short ${i}`, notional * (1 + (i % 7)));
    place(world, short, { side: -1, lots: positionLots, ticks: startTicks });
  }
  for (let i = 0; i < longs; i += 1) {
    // The first groups fail round by round; all other accounts fail much later.
    const round = Math.floor(i / affected);
    const failing = round < rounds ? failureTicks(round, way) : 300_000 + (i % 1000);
    const value = failing * positionLots * grain;
    const maintenance = Math.ceil(value / 100);
    const fee = Math.ceil(notional / 2000);
    const account = (longs + i + 2) as AccountId;
    credit(world, `long ${i}`, fee + (notional - value) + maintenance);
    perform(world, { kind: 'setLeverage', account, market, leverage: 50 });
    place(world, account, { side: 1, lots: positionLots, ticks: startTicks });
  }
  // Stops of accounts that do not fail: as many between two rounds' marks as accounts fail there.
  for (let i = 0; i < positions; i += 1) {
    const round = Math.floor(i / affected);
    const stop = round < rounds ? failureTicks(round, way) - 1 + (i % 100) : 200_000 + (i % 1000);
    const holder = (longs + 2 + ((i + affected * rounds) % longs)) as AccountId;
    placeStop(world, holder, stop);
  }
  tick(world, startTicks);
  return world;
}

function perform(world: World, command: Command): void {
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  const described = outcome.kind === 'rejected' ? JSON.stringify(outcome.rejection) : '';
  check(outcome.kind === 'accepted', `${command.kind} was rejected: ${described}`);
  world.exchange.events = [];
}

function credit(world: World, address: string, amount: number): void {
  const reference = `credit ${address}`;
  perform(world, { kind: 'credit', address, amount: amount as Money, reference });
}

type Wanted = { readonly side: 1 | -1; readonly lots: number; readonly ticks: number };

function place(world: World, account: AccountId, wanted: Wanted): void {
  perform(world, orderCommand({ account, market, ...wanted }));
}

function placeStop(world: World, account: AccountId, stopTicks: number): void {
  const closing = { reduceOnly: true, workingType: 'MARK_PRICE' } as const;
  perform(world, stopCommand({ account, market, side: -1, lots: 1, stopTicks, ...closing }));
}

/** Bids for so many lots in all, at ten prices from `ticks` down. */
function bid(world: World, ticks: number, lots: number): void {
  for (let level = 0; level < 10; level += 1) {
    place(world, world.maker, { side: 1, lots: Math.ceil(lots / 10), ticks: ticks - level });
  }
}

/** One index tick at `index`; the mark follows at once, because no ask bounds it. */
function tick(world: World, index: number): { ms: number; liquidated: number; fired: number } {
  const { exchange } = world;
  world.time += 250;
  world.index = index;
  beginBatch(exchange, world.time as Time);
  exchange.events = [];
  const observedAt = world.time as Time;
  const prices = [{ market, source: 'bench', ticks: index as Ticks, observedAt }];
  const begun = performance.now();
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  const ms = performance.now() - begun;
  let liquidated = 0;
  let fired = 0;
  for (const event of exchange.events) {
    if (event.kind === 'liquidationFlagged' && event.flagged) liquidated += 1;
    if (event.kind === 'triggerFired') fired += 1;
  }
  exchange.events = [];
  return { ms, liquidated, fired };
}
