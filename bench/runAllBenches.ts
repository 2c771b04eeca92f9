// Runs all benchmarks one after the other, each in its own process: `npm run bench`. Their last
// lines become one table, with the targets and with what a peer or the machine itself does. The
// table is printed and written at the head of results.md. The text below the table is written by
// hand.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createProgress } from '../src/std/progress.ts';
import { check, grouped, say } from './report.ts';

type Result = Readonly<Record<string, unknown>>;
type Results = Readonly<Record<string, Result>>;

type Line = {
  readonly bench: string;
  readonly figure: string;
  readonly name: string;
  readonly unit: string;
  readonly wanted?: string;
  /** The figure to compare it with, by benchmark and name. */
  readonly beside?: readonly [bench: string, figure: string, name: string];
};

const perSecond = '/s';

const lines: readonly Line[] = [
  { bench: 'limits', figure: 'echo_per_s', name: 'bare sockets, messages echoed', unit: perSecond },
  { bench: 'limits', figure: 'hmac_per_s', name: 'HMAC-SHA256, one thread', unit: perSecond },
  { bench: 'limits', figure: 'sync_per_s', name: 'fdatasync of 4 KB', unit: perSecond },
  { bench: 'limits', figure: 'sync_max_ms', name: 'the longest of those', unit: 'ms' },
  { bench: 'limits', figure: 'random_read_ns', name: 'random read of memory', unit: 'ns' },
  {
    bench: 'engine',
    figure: 'commands_per_s',
    name: 'engine, 10,000 orders resting',
    unit: perSecond,
    wanted: '5 × peer',
    beside: ['engine', 'peer_ops_per_s', 'nodejs-order-book'],
  },
  {
    bench: 'engine',
    figure: 'commands_per_s_100k',
    name: 'engine, 100,000 orders resting',
    unit: perSecond,
    wanted: '5 × peer',
    beside: ['engine', 'peer_ops_per_s_100k', 'nodejs-order-book'],
  },
  {
    bench: 'engine',
    figure: 'book_ops_per_s',
    name: 'book alone, 10,000 orders resting',
    unit: perSecond,
    wanted: '5,000,000',
    beside: ['engine', 'peer_ops_per_s', 'nodejs-order-book'],
  },
  {
    bench: 'log',
    figure: 'commands_per_s',
    name: 'log, batches of 100, durable commands',
    unit: perSecond,
    wanted: '300,000',
    beside: ['limits', 'sync_per_s', 'fdatasync'],
  },
  {
    bench: 'log',
    figure: 'recovery_ms',
    name: 'restart without a snapshot, 1,000,000 commands',
    unit: 'ms',
  },
  {
    bench: 'restart',
    figure: 'restart_ms',
    name: 'restart 1,000,000 commands after the last, 10,000 orders resting',
    unit: 'ms',
    wanted: '1,500',
  },
  {
    bench: 'restart',
    figure: 'large_restart_ms',
    name: 'the same, 300,000 orders resting at the beginning',
    unit: 'ms',
    wanted: '1,500',
  },
  { bench: 'log', figure: 'rss_mb', name: 'memory after it', unit: 'MB', wanted: '1,000' },
  {
    bench: 'gateway',
    figure: 'orders_per_s',
    name: 'gateway, signed durable orders',
    unit: perSecond,
    wanted: '0.9 × bare',
    beside: ['gateway', 'fastify_per_s', 'bare fastify with HMAC'],
  },
  {
    bench: 'gateway',
    figure: 'ratio_http',
    name: 'the same, beside a bare node:http with HMAC',
    unit: '× bare',
  },
  {
    bench: 'gateway',
    figure: 'first_ratio',
    name: 'the first 20,000 of them',
    unit: '× warm',
    wanted: '0.7',
  },
  {
    bench: 'gateway',
    figure: 'trading_us',
    name: 'processor time of an order, trading thread',
    unit: 'µs',
    wanted: '10',
  },
  { bench: 'gateway', figure: 'process_us', name: 'the same, whole process', unit: 'µs' },
  {
    bench: 'latency',
    figure: 'here_p50_ms_2000',
    name: 'an order at 2,000/s, p50',
    unit: 'ms',
    wanted: '0.5',
  },
  {
    bench: 'latency',
    figure: 'here_trading_us_2000',
    name: 'the same, processor time of the trading thread',
    unit: 'µs',
  },
  {
    bench: 'latency',
    figure: 'here_p99_ms_5000',
    name: 'an order at 5,000/s, p99',
    unit: 'ms',
    wanted: '3 × sync',
    beside: ['latency', 'sync_p99_ms', 'the p99 of a sync'],
  },
  {
    bench: 'risk',
    figure: 'cascade_ms',
    name: 'liquidation of 1,000 among 100,000 positions',
    unit: 'ms',
    wanted: '10',
  },
  {
    bench: 'history',
    figure: 'sqlite_rows_per_s',
    name: 'history, rows into SQLite',
    unit: perSecond,
    wanted: '60,000',
  },
  {
    bench: 'history',
    figure: 'postgres_rows_per_s',
    name: 'history, rows into PostgreSQL',
    unit: perSecond,
    wanted: '80,000',
  },
  {
    bench: 'history',
    figure: 'sqlite_ratio',
    name: 'trading with history in SQLite',
    unit: '× without',
    wanted: '0.9',
  },
  {
    bench: 'history',
    figure: 'postgres_ratio',
    name: 'trading with history in PostgreSQL',
    unit: '× without',
    wanted: '0.9',
  },
  {
    bench: 'history',
    figure: 'fills_p50_ms',
    name: 'the last 500 fills among 10,000,000, p50',
    unit: 'ms',
    wanted: '10',
  },
  {
    bench: 'history',
    figure: 'candles_p50_ms',
    name: '1,500 candles, p50',
    unit: 'ms',
    wanted: '20',
  },
  {
    bench: 'streams',
    figure: 'private_p99_ms',
    name: 'private stream behind the answer at 2,000 orders/s, p99',
    unit: 'ms',
    wanted: '5',
  },
  {
    bench: 'streams',
    figure: 'idle_sockets_mb',
    name: 'memory of 5,000 idle sockets',
    unit: 'MB',
    wanted: '500',
  },
  { bench: 'metrics', figure: 'requestNs', name: 'measuring a request', unit: 'ns' },
];

const begin = '<!-- written by `npm run bench` -->';
const end = '<!-- from here on by hand -->';
const resultsPath = join(import.meta.dirname, 'results.md');

/** Runs every benchmark, with its usual options; throws when one fails. */
export async function runAllBenches(names: readonly string[]): Promise<void> {
  const load = loadavg()[0]!.toFixed(2);
  const results: Record<string, Result> = {};
  const progress = createProgress({ what: 'benchmarks', total: names.length });
  for (const [index, name] of names.entries()) {
    progress.reached(index);
    results[name] = await runBench(name);
  }
  progress.end();
  const text = textOf(results, load);
  say(text);
  const before = readFileSync(resultsPath, 'utf8');
  const at = before.indexOf(end);
  check(at >= 0, `results.md has a line ${end}`);
  writeFileSync(resultsPath, `${text}\n${before.slice(at)}`);
}

/** The last line of a benchmark as JSON; its other lines go to standard output. */
function runBench(name: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'bench.ts'), name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let last = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = line;
      say(line);
    });
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(last) as Result);
      else reject(new Error(`the benchmark ${name} failed`));
    });
  });
}

function textOf(results: Results, load: string): string {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1);
  const machine = `${cpus()[0]?.model ?? 'unknown cpu'}, ${availableParallelism()} cores, ${gigabytes} GB`;
  const day = new Date().toISOString().slice(0, 10);
  const rows = lines.map((line) => `| ${cellsOf(results, line).join(' | ')} |`);
  return [
    begin,
    '# Figures of the benchmarks',
    '',
    `${day}: ${machine}, ${process.platform}, Node ${process.version}, load ${load} before. Every`,
    'benchmark with its usual options, one after the other; conditions and checks are in what each',
    'prints.',
    '',
    '| | figure | wanted | beside it |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function cellsOf(results: Results, { bench, figure, name, unit, wanted, beside }: Line): string[] {
  const value = figureOf(results, bench, figure);
  return [name, `${shown(value)} ${unit}`, wanted ?? '–', besideOf(results, value, beside)];
}

function besideOf(results: Results, value: number, beside: Line['beside']): string {
  if (beside === undefined) return '–';
  const [bench, figure, name] = beside;
  const other = figureOf(results, bench, figure);
  return `${(value / other).toFixed(2)} × ${name} (${shown(other)})`;
}

function figureOf(results: Results, bench: string, figure: string): number {
  const value = results[bench]?.[figure];
  check(typeof value === 'number', `${bench} ends with ${figure}`);
  return value;
}

function shown(value: number): string {
  return value < 100 ? String(value) : grouped(value);
}
