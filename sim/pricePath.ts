// The index of a simulated day: one price for each step of 250 ms, and how steeply it fell. The
// agents may read it like traders read a chart, only backwards.

import type { Grid } from '../src/engine/marketTerms.ts';
import { roundToTicks } from '../src/feeds/roundToTicks.ts';
import type { Trade } from '../src/feeds/tradeFile.ts';
import { must } from '../src/std/assert.ts';
import type { Ticks, Time } from '../src/units/units.ts';

export const stepMs = 250;
export const stepsPerSecond = 1000 / stepMs;
/** The seconds over which a fall is measured. */
const fallSeconds = 60;

export type PricePath = {
  /** The time of step 0: a whole second, at or after the first trade. */
  readonly start: number;
  /** The price at each step, in ticks: the price of the last trade at or before it. */
  readonly ticks: Int32Array;
  /** By second: how far the price is below its highest of the last minute, a fraction. */
  readonly falls: Float64Array;
  /** By second: from the lowest to the highest price of the last minute, a fraction. */
  readonly ranges: Float64Array;
  /** The step of the lowest price. */
  readonly lowStep: number;
};

export function createPricePath(trades: readonly Trade[], tick: Grid): PricePath {
  const first = must(trades[0], 'a path has a trade');
  const last = must(trades.at(-1), 'a path has a trade');
  const start = Math.ceil(first.at / 1_000_000) * 1000;
  const steps = Math.max(1, Math.floor((last.at / 1000 - start) / stepMs) + 1);
  const ticks = new Int32Array(steps);
  let next = 0;
  let price = 0;
  let lowStep = 0;
  for (let step = 0; step < steps; step += 1) {
    const until = (start + step * stepMs) * 1000;
    let text: string | undefined;
    for (; next < trades.length && trades[next]!.at <= until; next += 1) {
      text = trades[next]!.price;
    }
    if (text !== undefined) price = must(roundToTicks(text, tick), `${text} is no price`);
    ticks[step] = price;
    if (price < ticks[lowStep]!) lowStep = step;
  }
  return { start, ticks, lowStep, ...moods(ticks) };
}

function moods(ticks: Int32Array): { falls: Float64Array; ranges: Float64Array } {
  const seconds = Math.ceil(ticks.length / stepsPerSecond);
  const falls = new Float64Array(seconds);
  const ranges = new Float64Array(seconds);
  for (let second = 0; second < seconds; second += 1) {
    const now = ticks[second * stepsPerSecond]!;
    let high = now;
    let low = now;
    for (let back = 1; back <= Math.min(second, fallSeconds); back += 1) {
      const then = ticks[(second - back) * stepsPerSecond]!;
      if (then > high) high = then;
      if (then < low) low = then;
    }
    falls[second] = (high - now) / high;
    ranges[second] = (high - low) / low;
  }
  return { falls, ranges };
}

export const timeOfStep = (path: PricePath, step: number): Time =>
  (path.start + step * stepMs) as Time;

/** Whether a step has an index tick: once a second, and whenever the price has changed. */
export function isTicked(path: PricePath, step: number): boolean {
  if (step % stepsPerSecond === 0) return true;
  return path.ticks[step] !== path.ticks[step - 1];
}

export const indexAt = (path: PricePath, step: number): Ticks => path.ticks[step]! as Ticks;

/** The steepest fall of the last `seconds` seconds up to this one. */
export function steepestFall(path: PricePath, second: number, seconds: number): number {
  let steepest = 0;
  for (let at = Math.max(0, second - seconds + 1); at <= second; at += 1) {
    const fall = path.falls[at]!;
    if (fall > steepest) steepest = fall;
  }
  return steepest;
}
