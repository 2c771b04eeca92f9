// What the page must reach, and whether it does.

import { say } from '../report.ts';

type Target = {
  /** In the result. */
  readonly name: string;
  readonly most: number;
  readonly unit: string;
  readonly what: string;
};

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
  // Two rounds of one kind differ by about this much.
  { name: 'orders_pages_readers_p50_ratio', most: 1.05, unit: '', what: 'orders: pages/readers' },
];

/** Of frames, memory and tasks: a figure of a shorter or weaker load proves less. */
const ofLoad: ReadonlySet<string> = new Set(['frame_p95_ms', 'longest_task_ms', 'cpu_ms_per_s']);
const messagesLeast = 1000;
const minutesLeast = 10;

type Figures = Readonly<Record<string, number>>;

/** Prints a line for each target that was measured; gives the names of those that are missed. */
export function sayTargets(figures: Figures): readonly string[] {
  const missed: string[] = [];
  for (const { name, most, unit, what } of targets) {
    const value = figures[name];
    if (value === undefined) continue;
    const holds = value <= most;
    if (!holds) missed.push(name);
    say(
      `${holds ? 'holds ' : 'MISSED'} ${what}: ${value} of at most ${most} ${unit}${weak(name, figures)}`,
    );
  }
  return missed;
}

/** What makes the figure weaker than its target asks. */
function weak(name: string, { minutes = 0, messages_per_s = 0 }: Figures): string {
  if (ofLoad.has(name) && messages_per_s < messagesLeast)
    return ` (at ${messages_per_s} of ${messagesLeast} messages/s)`;
  if (name === 'heap_growth_mb' && minutes < minutesLeast) return ` (after ${minutes} min)`;
  return '';
}
