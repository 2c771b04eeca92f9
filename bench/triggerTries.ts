// What an index tick costs while half a million triggers that close are due and none of them can
// fill (TRG-8): the price of another market is old, and the only bid is 4 % below the mark. Another
// account's stop must fire in the tick that reaches it.

import { checkInvariants } from '../src/engine/invariants/invariants.ts';
import { triggersPerAccountMax } from '../src/engine/limits.ts';
import { isIdle } from '../src/engine/triggers/dueQueue.ts';
import type { AccountId, MarketId } from '../src/units/units.ts';
import { orderCommand, stopCommand } from '../test/fixtures/orderCommands.ts';
import { check, median } from './report.ts';
import {
  credit,
  longest,
  market,
  openTriggerWorld,
  perform,
  tick,
  type World,
} from './triggerWorld.ts';

const otherMarket = 1 as MarketId;
const startTicks = 600_000;
const lowTicks = 594_000;
const steadyTicks = 1000;
const maker = 1;

/** Processor time of the ticks in which all are tried once, and of those that follow. */
export function measureTries(triggers: number) {
  const world = openTriggerWorld(['BTC', 'ETH']);
  tick(world, startTicks, [market, otherMarket]);
  credit(world, 'maker', 1_000_000_000_000_000);
  const accounts = Math.ceil(triggers / triggersPerAccountMax);
  for (let i = 0; i < accounts; i += 1) holdBoth(world, maker + 1 + i, triggersPerAccountMax);
  const rescued = maker + 1 + accounts;
  credit(world, 'rescued', 10_000_000_000);
  buy(world, rescued, market, 10);
  const place = {
    account: maker,
    market,
    side: 1,
    lots: triggers,
    ticks: lowTicks * 0.96,
  } as const;
  perform(world, orderCommand(place));
  // The other market's price becomes older than five seconds.
  for (let i = 0; i < 24; i += 1) tick(world, startTicks);
  const first = [tick(world, lowTicks)];
  while (!isIdle(world.exchange.due.reducing)) first.push(tick(world, lowTicks));
  const steady = Array.from({ length: steadyTicks }, () => tick(world, lowTicks));
  const stop = { account: rescued, market, side: -1, lots: 10 } as const;
  perform(world, stopCommand({ ...stop, stopTicks: lowTicks - 500, reduceOnly: true }));
  perform(
    world,
    orderCommand({ account: maker, market, side: 1, lots: 10, ticks: lowTicks - 600 }),
  );
  const rescue = tick(world, lowTicks - 500);
  check(rescue.fired === 1, 'the stop of another account waits for those that cannot fill');
  const { ok, failures } = checkInvariants(world.exchange);
  check(ok, failures.join('; '));
  return {
    first_ticks: first.length,
    first_longest_ms: longest(first),
    steady_tries_per_tick: median(steady.map(({ tried }) => tried)),
    // The clock of a thread moves in steps of milliseconds, so that a median says nothing.
    steady_tick_ms: Number((sum(steady.map(({ ms }) => ms)) / steadyTicks).toFixed(2)),
    steady_longest_ms: longest(steady),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** 3,000 USDT, 12,000 long in one market and 40,000 in the other, and stops for single lots. */
function holdBoth(world: World, account: number, stops: number): void {
  credit(world, `account ${account}`, 3_000_000_000);
  for (const one of [market, otherMarket]) {
    const owner = account as AccountId;
    perform(world, { kind: 'setLeverage', account: owner, market: one, leverage: 50 });
  }
  buy(world, account, market, stops);
  buy(world, account, otherMarket, 667);
  for (let i = 0; i < stops; i += 1) {
    const stop = {
      account,
      market,
      side: -1,
      lots: 1,
      stopTicks: lowTicks,
      reduceOnly: true,
    } as const;
    perform(world, stopCommand(stop));
  }
}

function buy(world: World, account: number, of: MarketId, lots: number): void {
  const terms = { market: of, lots, ticks: startTicks };
  perform(world, orderCommand({ ...terms, account: maker, side: -1 }));
  perform(world, orderCommand({ ...terms, account, side: 1 }));
}
