// What the page must reach, and whether it does.

import { type Figures, sayTargets, type Target, type Verdicts } from '../sayTargets.ts';

const targets: readonly Target[] = [
  { name: 'build_ms', most: 1000, unit: 'ms', what: 'the build at start' },
  { name: 'first_load_js_gzip_kb', most: 110, unit: 'kB', what: 'scripts of a first visit' },
  { name: 'signed_in_js_gzip_kb', most: 110, unit: 'kB', what: 'scripts of a signed-in visit' },
  { name: 'interactive_cold_ms', most: 1000, unit: 'ms', what: 'first interactive, cold' },
  { name: 'interactive_warm_ms', most: 300, unit: 'ms', what: 'first interactive, warm' },
  { name: 'frame_p95_ms', most: 20, unit: 'ms', what: 'between frames, p95' },
  { name: 'longest_task_ms', most: 50, unit: 'ms', what: 'the longest task' },
  { name: 'cpu_ms_per_s', most: 300, unit: 'ms', what: 'processor time of the page in a second' },
  { name: 'heap_growth_mb', most: 2, unit: 'MB', what: 'more memory after ten minutes' },
  { name: 'click_shown_p95_ms', most: 50, unit: 'ms', what: 'from a click to the order, p95' },
  // What Lighthouse calls good.
  { name: 'desktop_first_paint_ms', most: 934, unit: 'ms', what: 'the first part, desktop' },
  { name: 'desktop_largest_paint_ms', most: 1200, unit: 'ms', what: 'the largest part, desktop' },
  { name: 'desktop_blocked_ms', most: 150, unit: 'ms', what: 'the blocked thread, desktop' },
  { name: 'desktop_layout_shift', most: 0.1, unit: '', what: 'jumps of the layout, desktop' },
  { name: 'phone_first_paint_ms', most: 1800, unit: 'ms', what: 'the first part, slow phone' },
  { name: 'phone_largest_paint_ms', most: 2500, unit: 'ms', what: 'the largest part, slow phone' },
  { name: 'phone_blocked_ms', most: 200, unit: 'ms', what: 'the blocked thread, slow phone' },
  { name: 'phone_layout_shift', most: 0.1, unit: '', what: 'jumps of the layout, slow phone' },
  { name: 'practice_findings', most: 0, unit: '', what: 'findings of best practice' },
  // Not slower; the result also has what readers differ by from readers.
  { name: 'orders_pages_readers_p50_ratio', most: 1.05, unit: '', what: 'orders: pages/readers' },
];

/** A figure of a weaker load proves nothing by being small. */
const ofLoad: ReadonlySet<string> = new Set(['frame_p95_ms', 'longest_task_ms', 'cpu_ms_per_s']);
const messagesLeast = 1000;
const minutesLeast = 10;
/** By so much a measurement may differ from its repetition. */
const differenceMost = 0.1;

/** Prints a line for each target that was measured. */
export const sayPageTargets = (figures: Figures): Verdicts =>
  sayTargets(targets, figures, whyUnclear);

/** Empty when the figure was measured as its target asks. */
function whyUnclear(name: string, figures: Figures): string {
  const { minutes = 0, messages_per_s: messages = 0 } = figures;
  if (ofLoad.has(name) && messages < messagesLeast)
    return ` (at ${messages} of ${messagesLeast} messages/s)`;
  if (name === 'heap_growth_mb' && minutes < minutesLeast) return ` (after ${minutes} min)`;
  const { orders_readers_readers_p50_ratio: same = 1 } = figures;
  if (name === 'orders_pages_readers_p50_ratio' && Math.abs(same - 1) > differenceMost)
    return ` (the machine was not steady: readers/readers ${same})`;
  return '';
}
