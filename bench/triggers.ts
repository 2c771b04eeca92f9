// What an index tick costs while half a million triggers wait, a third of them trailing, and a
// fifth become due at once (TRG-6): before, while they fire in their turn, and when the mark
// reverses. Then the same number that cannot fill (triggerTries.ts).

import type { Command } from '../src/engine/command.ts';
import { checkInvariants } from '../src/engine/invariants/invariants.ts';
import { triggersPerAccountMax } from '../src/engine/limits.ts';
import { isDue } from '../src/engine/triggers/dueQueue.ts';
import { warmEngine } from '../src/replica/warmEngine.ts';
import { createPrng } from '../src/std/prng.ts';
import type { AccountId, Rate, Ticks } from '../src/units/units.ts';
import { orderCommand, type StopTerms, stopCommand } from '../test/fixtures/orderCommands.ts';
import { check, median, sayConditions, sayResult } from './report.ts';
import { measureTries } from './triggerTries.ts';
import {
  credit,
  longest,
  market,
  openTriggerWorld,
  perform,
  type Tick,
  tick,
  type World,
} from './triggerWorld.ts';

const usage = 'triggers takes --waiting N --due N';
const startTicks = 600_000;
/** The mark after the fall of 2 %. */
const lowTicks = 588_000;

/** Prints the longest tick of each part. */
export async function runTriggersBench(args: readonly string[]): Promise<void> {
  const { waiting, due } = readOptions(args);
  sayConditions('triggers', {
    waiting: `${waiting} of one market, a third trailing with callbacks of 0.1 to 10 %`,
    due: `${due} stops and trailing ones when the mark falls by 2 %; each sells to one bid`,
    time: 'processor time of the thread: others may be busy',
    way: 'a thousand small moves, the fall, ticks until all of them have fired, the way back',
  });
  // As a start does.
  warmEngine();
  sayResult({ bench: 'triggers', waiting, due, ...run({ waiting, due }) });
  sayResult({ bench: 'triggers', tried: waiting, ...measureTries(waiting) });
}

function readOptions(args: readonly string[]) {
  const options = { waiting: 500_000, due: 100_000 };
  for (let i = 0; i < args.length; i += 2) {
    const value = Number(args[i + 1]);
    if (!Number.isSafeInteger(value) || value < 100) throw new Error(usage);
    if (args[i] === '--waiting') options.waiting = value;
    else if (args[i] === '--due') options.due = value;
    else throw new Error(`${usage}; not ${args[i]}`);
  }
  return options;
}

type Size = { readonly waiting: number; readonly due: number };

function run({ waiting, due }: Size) {
  const world = build({ waiting, due });
  const quiet: Tick[] = [];
  // Each new high becomes the extreme of all triggers that it passes.
  for (let i = 0; i < 1000; i += 1) quiet.push(tick(world, startTicks + ((i * 7) % 50) + i / 10));
  const fall = tick(world, lowTicks);
  const draining: Tick[] = [];
  while (isDue(world.exchange)) draining.push(tick(world, lowTicks));
  const fired = [fall, ...draining].reduce((sum, one) => sum + one.fired, 0);
  check(fired > due * 0.9 && fired < due * 1.1, `${fired} fired instead of ${due}`);
  const back = Array.from({ length: 100 }, (_, i) => tick(world, lowTicks + i * 140));
  const { ok, failures } = checkInvariants(world.exchange);
  check(ok, failures.join('; '));
  return {
    fired,
    ticks_until_all_fired: draining.length + 1,
    quiet_tick_ms: Number(median(quiet.map(({ ms }) => ms)).toFixed(4)),
    quiet_longest_ms: longest(quiet),
    fall_ms: Number(fall.ms.toFixed(2)),
    firing_tick_ms: Number(median(draining.map(({ ms }) => ms)).toFixed(2)),
    firing_longest_ms: longest([fall, ...draining]),
    way_back_longest_ms: longest(back),
  };
}

function build({ waiting, due }: Size): World {
  const world = openTriggerWorld(['BTC']);
  const { below } = createPrng(1);
  tick(world, startTicks);
  credit(world, 'maker', 1_000_000_000_000_000);
  const bid = { market, side: 1, lots: 2 * due + 1, ticks: lowTicks - 1000 } as const;
  perform(world, orderCommand({ account: 1, ...bid }));
  let account = 1;
  for (let i = 0; i < waiting; i += 1) {
    if (i % triggersPerAccountMax === 0) {
      account += 1;
      credit(world, `account ${account}`, 100_000_000_000);
    }
    // A thousand marks on the way, so that trailing triggers follow different parts of it.
    if (i % Math.ceil(waiting / 1000) === 0) tick(world, startTicks - 500 + below(400));
    const trailing = i % 3 === 0;
    const isDue = below(waiting) < due;
    perform(world, trailing ? trailingStop(account, isDue, below) : stop(account, isDue, below));
  }
  return world;
}

type Below = (bound: number) => number;

function stop(account: number, isDue: boolean, below: Below): Command {
  const stopTicks = isDue ? lowTicks + below(2000) : lowTicks - 1 - below(100_000);
  return stopCommand({ account: account as AccountId, market, side: -1, lots: 1, stopTicks });
}

/**
 * Due: a callback below 1.5 %. Otherwise a callback above 3 %, or one that a rise of a tenth would
 * activate.
 */
function trailingStop(account: number, isDue: boolean, below: Below): Command {
  const callbackRate = (isDue ? 1_000_000 + below(500_000) : 3_000_000 + below(7_000_000)) as Rate;
  const inactive = !isDue && below(3) === 0;
  const activationTicks = (inactive ? 660_000 + below(1000) : 0) as Ticks;
  const terms: StopTerms = { type: 'TRAILING_STOP_MARKET', callbackRate, activationTicks };
  return stopCommand({ account, market, side: -1, lots: 1, stopTicks: 0, ...terms });
}
