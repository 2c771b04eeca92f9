// The breaker (PRC-3): a mark that moves more than 10 % within 60 s makes its market reduce-only
// for a while. The earlier marks are kept as the range of each second. The market's prices hold the
// time until which the breaker is in force.

import type { Ticks, Time } from '../../units/units.ts';
import type { MarkRange } from '../market.ts';

/** How long a tripped breaker is in force, milliseconds. */
export const breakerMs = 30_000;
/** The number of whole seconds before the present one in the window. */
const windowSeconds = 60;

export type BreakerStep = { readonly marks: readonly MarkRange[]; readonly tripped: boolean };

/**
 * Takes a new mark into the window. The breaker trips when
 *   mark × 10 > 11 × lowest or mark × 10 < 9 × highest
 * of the window; the window then begins again with this mark. A second that began at most 60 s
 * before the present one counts whole. Cost: the window, at most 61 ranges.
 */
export function stepBreaker(marks: readonly MarkRange[], mark: Ticks, now: Time): BreakerStep {
  const second = Math.floor(now / 1000);
  const present: MarkRange = { second, low: mark, high: mark };
  const window = marks.filter((range) => range.second >= second - windowSeconds);
  if (window.some(({ low, high }) => mark * 10 > 11 * low || mark * 10 < 9 * high)) {
    return { marks: [present], tripped: true };
  }
  const last = window.at(-1);
  if (last === undefined || last.second !== second) {
    return { marks: [...window, present], tripped: false };
  }
  const low = Math.min(last.low, mark) as Ticks;
  const high = Math.max(last.high, mark) as Ticks;
  window[window.length - 1] = { second, low, high };
  return { marks: window, tripped: false };
}
