// The day on which the market crashed: its recorded prices are the index, a seeded crowd trades
// with makers against the real engine, and everything is measured and checked. This file has the
// order of the day; the parts are in files of their own.

import { applyCommand, beginBatch } from '../src/engine/apply.ts';
import type { Command } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import { Fault, must } from '../src/std/assert.ts';
import { createProgress } from '../src/std/progress.ts';
import type { Time } from '../src/units/units.ts';
import { firstCrowdId, openingCommands } from './cast.ts';
import { type CrashDayOptions, readCrashDayOptions } from './crashDayOptions.ts';
import {
  type CrashDayReport,
  type CrashDayResult,
  createReport,
  noteStep,
  resultOf,
  sideBySide,
  tellReport,
} from './crashDayReport.ts';
import {
  type CrashDayWatch,
  checkEverything,
  checkMoney,
  checkNobodyIsMissed,
  createCrashDayWatch,
  watchCommand,
} from './crashDayWatch.ts';
import { type Crowd, createCrowd, crowdCommands } from './crowd.ts';
import { type DayLog, openDayLog } from './dayLog.ts';
import { createMakers, makerCommands } from './makers.ts';
import {
  createPricePath,
  indexAt,
  isTicked,
  type PricePath,
  stepMs,
  stepsPerSecond,
  timeOfStep,
} from './pricePath.ts';
import { createPrints, type Prints, printCommands } from './printTraders.ts';
import { readRecordedTrades } from './recordedTrades.ts';
import { bracketsFor, gridsFor, indexSource, listingOf, market } from './simMarket.ts';
import { violated } from './violations.ts';

const chain = 43113;

export type Say = (line: string) => void;

/** What every start of a day shares: its chart, its participants, and its opening. */
type Script = {
  readonly path: PricePath;
  readonly prints: Prints;
  readonly crowd: Crowd;
  readonly makers: ReturnType<typeof createMakers>;
  readonly opening: readonly (readonly Command[])[];
};

type Day = {
  readonly script: Script;
  readonly exchange: Exchange;
  readonly report: CrashDayReport;
  readonly say: Say;
  /** Set when the market is listed. */
  watch: CrashDayWatch | undefined;
};

/** Runs the day that the arguments describe; gives whether all rules were kept. */
export async function runCrashDay(args: readonly string[]): Promise<boolean> {
  const say: Say = (line) => process.stdout.write(`${line}\n`);
  const options = readCrashDayOptions(args);
  if (options.gap !== undefined) return compareBrackets(options, say);
  const { result, violations } = await simulateCrashDay(options, say);
  for (const violation of violations) say(`VIOLATION ${violation}`);
  say(JSON.stringify(result));
  return violations.length === 0;
}

/** The day twice, with one bracket and with the derived ones; gives whether all rules were kept. */
async function compareBrackets(options: CrashDayOptions, say: Say): Promise<boolean> {
  if (options.data !== undefined) throw new Error('--brackets plays two days, without --data');
  say('with one bracket:');
  const without = await simulateCrashDay({ ...options, gap: undefined }, say);
  say('with the brackets of the fund:');
  const bracketed = await simulateCrashDay(options, say);
  const violations = [...without.violations, ...bracketed.violations];
  for (const violation of violations) say(`VIOLATION ${violation}`);
  for (const line of sideBySide(without.result, bracketed.result)) say(line);
  say(JSON.stringify({ ...without.result, bracketed: bracketed.result }));
  return violations.length === 0;
}

export type CrashDayOutcome = {
  readonly result: CrashDayResult;
  readonly violations: readonly string[];
};

export async function simulateCrashDay(
  options: CrashDayOptions,
  say: Say,
): Promise<CrashDayOutcome> {
  const begun = performance.now();
  const script = await readScript(options, say);
  const exchange = createExchange(chain);
  const day: Day = { script, exchange, report: createReport(script.path), say, watch: undefined };
  const { data, ...others } = options;
  const log = data === undefined ? undefined : await openDayLog(data, chain, others);
  try {
    if (log !== undefined) replay(day, log);
    await play(day, log?.left ?? 0, log);
  } catch (error) {
    // When the engine's own assertions stop it, that is a finding like any other.
    if (!(error instanceof Fault) || day.watch === undefined) throw error;
    day.watch.figures.faults += 1;
    violated(day.watch.violations, `the exchange stopped: ${error.stack ?? error.message}`);
  } finally {
    await log?.close();
  }
  const watch = must(day.watch, 'the market is listed');
  if (watch.figures.faults === 0) {
    checkMoney(watch, exchange);
    checkEverything(watch, exchange);
  }
  const { deleveragedLots, dueLots } = watch.steps;
  if (deleveragedLots !== dueLots) {
    violated(watch.violations, `${deleveragedLots} lots deleveraged, ${dueLots} due (LIQ-4)`);
  }
  const seconds = (performance.now() - begun) / 1000;
  tellReport(day.report, watch, exchange, script.path, say);
  return {
    result: resultOf(watch, exchange, seconds),
    violations: watch.violations.found,
  };
}

async function readScript(options: CrashDayOptions, say: Say): Promise<Script> {
  const { index, accounts, seed, fund, fromMinute, limitMinutes } = options;
  const brackets = bracketsFor(fund, options.gap);
  const trades = await readRecordedTrades(index, { fromMinute, limitMinutes }, say);
  const first = trades[0];
  if (first === undefined) throw new Error(`${index} holds no trade in these minutes`);
  const samePart = { fromMinute: 0, limitMinutes };
  const grids = gridsFor(trades);
  const path = createPricePath(trades, grids.tick);
  const seconds = Math.floor(path.ticks.length / stepsPerSecond);
  const crowd = createCrowd(seed, accounts, seconds);
  const printed =
    options.prints === undefined
      ? []
      : await readRecordedTrades(options.prints, { ...samePart, firstAt: first.at }, say);
  const commands = openingCommands(crowd.members, fund, brackets);
  const opening: Command[][] = [[listingOf(grids, brackets)]];
  for (let i = 0; i < commands.length; i += openingBatch) {
    opening.push(commands.slice(i, i + openingBatch));
  }
  const people = { crowd, makers: createMakers(accounts) };
  return { path, prints: createPrints(printed, path, grids.tick), ...people, opening };
}

/** Commands in one batch while the day is opened. */
const openingBatch = 1000;

/** Applies the batches of an earlier run. */
function replay(day: Day, log: DayLog): void {
  if (log.left > 0) day.say(`goes on after ${log.left} batches of an earlier run`);
  for (const { time, commands } of log.recorded()) applyBatch(day, time, commands);
}

/** The day from batch `done` on. */
async function play(day: Day, done: number, log: DayLog | undefined): Promise<void> {
  const { opening, path } = day.script;
  const openingTime = (path.start - 1000) as Time;
  for (const commands of opening.slice(done)) {
    if (log !== undefined) await log.append({ time: openingTime, commands });
    applyBatch(day, openingTime, commands);
  }
  const stood = (day.exchange.time - path.start) / stepMs;
  const progress = createProgress({ what: 'the day', total: path.ticks.length });
  for (let step = Math.max(0, stood + 1); step < path.ticks.length; step += 1) {
    progress.reached(step);
    const commands = commandsOf(day, step);
    if (commands.length === 0) continue;
    const time = timeOfStep(path, step);
    if (log !== undefined) await log.append({ time, commands });
    applyBatch(day, time, commands);
  }
  progress.end();
}

/**
 * The commands of all participants in a step. The seed, the chart and the state before the step
 * decide them.
 */
function commandsOf({ script, exchange }: Day, step: number): Command[] {
  const { path, prints, makers, crowd } = script;
  const commands: Command[] = [];
  const observedAt = timeOfStep(path, step);
  const ticks = indexAt(path, step);
  const ticked = isTicked(path, step);
  if (ticked) {
    const prices = [{ market, source: indexSource, ticks, observedAt }];
    commands.push({ kind: 'indexTick', prices });
  }
  const printed = prints.get(step);
  if (printed !== undefined) commands.push(...printCommands(printed, exchange));
  if (ticked) commands.push(...makerCommands(makers, exchange, path, step));
  if (step % stepsPerSecond === 0) {
    commands.push(...crowdCommands(crowd, exchange, step / stepsPerSecond, ticks));
  }
  return commands;
}

function applyBatch(day: Day, time: Time, commands: readonly Command[]): void {
  const { exchange, script } = day;
  beginBatch(exchange, time);
  if (day.watch !== undefined) {
    day.watch.violations.time = time;
    watchCommand(day.watch, exchange, undefined, undefined);
  }
  for (const command of commands) {
    const outcome = applyCommand(exchange, command, 0 as Time);
    if (command.kind === 'listMarket') {
      const listed = must(exchange.markets[market], 'the market is listed');
      day.watch = createCrashDayWatch(firstCrowdId + script.crowd.members.length, listed);
    }
    const watch = must(day.watch, 'the market is listed first');
    watchCommand(watch, exchange, command, outcome);
    if (command.kind === 'indexTick') checkNobodyIsMissed(watch);
  }
  const step = (time - script.path.start) / stepMs;
  if (step >= 0 && day.watch !== undefined) endStep(day, day.watch, step);
}

/** Money is checked at every step of the crash, and otherwise once a minute. */
function endStep({ report, exchange, script, say }: Day, watch: CrashDayWatch, step: number): void {
  const inCrash = noteStep(report, watch, exchange, { path: script.path, step, say });
  const perMinute = 60 * stepsPerSecond;
  if (inCrash || step % perMinute === 0) checkMoney(watch, exchange);
  if (step % (inCrash ? perMinute : 10 * perMinute) === 0) checkEverything(watch, exchange);
}
