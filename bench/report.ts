// What every benchmark prints: its conditions, its figures, and one last line of JSON for machines.

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** A line of the report. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The machine, the runtime and what the benchmark adds (its seed, its sizes). */
export function sayConditions(bench: string, given: Readonly<Record<string, unknown>>): void {
  say(`benchmark ${bench}`);
  say(`  node ${process.version} ${process.platform}-${process.arch}, V8 ${process.versions.v8}`);
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1);
  say(`  ${cpus()[0]?.model ?? 'unknown cpu'}, ${availableParallelism()} cores, ${gigabytes} GB`);
  say(`  load before: ${loadavg()[0]!.toFixed(2)}; flags: ${process.execArgv.join(' ') || 'none'}`);
  for (const [name, value] of Object.entries(given)) say(`  ${name}: ${String(value)}`);
}

/** The last line: figures for machines to compare. */
export function sayResult(result: Readonly<Record<string, unknown>> & { bench: string }): void {
  say(JSON.stringify(result));
}

/** The value below which the share `part` of `values` is (nearest rank). */
export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new Error('no values to take a percentile of');
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil(part * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1]!;
}

/** p50, p90, p99, p99.9 and maximum in one line. */
export function percentiles(values: readonly number[], unit: string): string {
  const parts: [string, number][] = [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p99', 0.99],
    ['p99.9', 0.999],
    ['max', 1],
  ];
  return parts
    .map(([name, part]) => `${name} ${percentile(values, part).toFixed(2)} ${unit}`)
    .join(', ');
}

/** The middle one of an odd number of rounds. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Whole units with thousands separated. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Fails the benchmark: a figure is worth nothing without a right result. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`the result is wrong: ${message}`);
}
