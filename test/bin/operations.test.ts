// The dashboard and the alert rules ask only for what the program registers, with labels that it
// has, and in the way its kind allows; and every alarm that an operator needs has its rule.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/bin/createMetrics.ts';
import { openingCommands } from '../engine/commandStream.ts';
import { createSteppedReplica } from '../fixtures/steppedReplica.ts';
import { type AlertRule, parseAlerts } from './parseAlerts.ts';
import { quietMetrics } from './readMetrics.ts';

const operations = join(import.meta.dirname, '../../docs/operations');
const runbook = readFileSync(join(operations, '../runbook.md'), 'utf8');

type Registered = { readonly type: string; readonly labels: Set<string> };

/** The registered metrics, by the names that a query may use, each with its kind and its labels. */
async function registeredMetrics(): Promise<ReadonlyMap<string, Registered>> {
  const { replica, clock, log, send, turn } = createSteppedReplica();
  const readers = { archivist: () => ({ position: 0, time: 0 }) };
  const metrics = createMetrics({ ...quietMetrics, replica, clock, readers });
  for (const command of openingCommands()) send('', command);
  send('', { kind: 'setRateTier', apiKey: 'none', rateTier: 'house' });
  turn();
  log.sync();
  metrics.onServed({ operation: 'ping', status: 200, milliseconds: 1 });
  const found = new Map<string, Registered>([['up', { type: 'gauge', labels: new Set() }]]);
  const lines = (await metrics.text()).split('\n');
  for (const line of lines) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name === undefined || type === undefined) continue;
    if (type !== 'histogram') found.set(name, { type, labels: new Set() });
    else {
      for (const part of ['bucket', 'sum', 'count']) {
        found.set(`${name}_${part}`, { type: 'counter', labels: new Set() });
      }
    }
  }
  for (const line of lines) {
    const [, name, inside] = /^(\w+)\{(.*)\} /.exec(line) ?? [];
    const labels = (inside ?? '').matchAll(/(\w+)="/g);
    for (const [, label] of labels) found.get(name ?? '')?.labels.add(label!);
  }
  return found;
}

/** What every series has from its scraper. */
const scraperLabels: readonly string[] = ['job', 'instance'];
const growing = /\b(?:rate|increase)\((\w+)(?:\{[^}]*\})?\[/g;
const words = new Set([
  ...[
    'and',
    'by',
    'sum',
    'count',
    'rate',
    'increase',
    'delta',
    'changes',
    'le',
    'instance',
    'operation',
  ],
  ...['time', 'histogram_quantile', 'max_over_time', 'kind', 'reason', 'status', 'group_left'],
]);

function expectQuery(query: string, registered: ReadonlyMap<string, Registered>): void {
  const bare = query.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '[]');
  const labelled = bare.replace(/\{[^}]*\}/g, '{}').replace(/\b(?:by|on) \([^)]*\)/g, '');
  const names = [...labelled.matchAll(/[a-z_]\w*/gi)].map(([name]) => name);
  const series = names.filter((name) => !words.has(name));
  expect(series.length, query).toBeGreaterThan(0);
  for (const name of series) expect(registered.has(name), `${name} in ${query}`).toBe(true);
  for (const [, name, inside] of bare.matchAll(/(\w+)\{([^}]*)\}/g)) {
    for (const [, label] of inside!.matchAll(/(\w+)\s*=/g)) {
      const labels = [...scraperLabels, ...registered.get(name!)!.labels];
      expect(labels, `${label} of ${name}`).toContain(label);
    }
  }
  for (const [, grouped] of bare.matchAll(/\b(?:by|on) \(([^)]*)\)/g)) {
    const labels = new Set([
      ...scraperLabels,
      ...series.flatMap((s) => [...registered.get(s)!.labels]),
    ]);
    for (const label of grouped!.split(/,\s*/)) expect(labels, query).toContain(label);
  }
  // A rate of a value that may fall has no meaning, nor has the value of a counter that only grows.
  for (const [, name] of query.matchAll(growing)) {
    expect(registered.get(name!)!.type, `${name} in ${query}`).toBe('counter');
  }
}

const alerts = (): readonly AlertRule[] =>
  parseAlerts(readFileSync(join(operations, 'alerts.yml'), 'utf8'));

test('every alert uses existing metrics and states its meaning and what to do', async () => {
  const registered = await registeredMetrics();
  const rules = alerts();
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, severity, summary, description } of rules) {
    expectQuery(expr, registered);
    expect(['page', 'ticket'], alert).toContain(severity);
    expect(summary.length, alert).toBeGreaterThan(10);
    expect(description.length, alert).toBeGreaterThan(10);
    for (const [, section] of description.matchAll(/runbook, "([^"]+)"/g)) {
      expect(runbook, alert).toMatch(new RegExp(`^#+ ${section}$`, 'm'));
    }
  }
});

test('every alarm that an operator needs has a rule over its metric', () => {
  const needed: readonly (readonly [string, string])[] = [
    ['IndexRefusedLong', 'evermark_index_refusals_total'],
    ['Breaker', 'evermark_market_restriction'],
    ['Shortfall', 'evermark_shortfall_usdt'],
    ['GapHole', 'evermark_gap_hole_usdt > on (job, instance)'],
    ['ReaderLag', 'evermark_reader_lag_seconds'],
    ['DiskShort', 'evermark_disk_free_bytes'],
    ['LogSyncSlow', 'evermark_log_sync_seconds_bucket'],
    ['InvariantBroken', 'evermark_invariant_failures'],
    ['ClockBehind', 'evermark_clock_behind_seconds'],
    ['EvermarkDown', 'up'],
  ];
  const rules = new Map(alerts().map((rule) => [rule.alert, rule.expr]));
  for (const [alert, metric] of needed) expect(rules.get(alert), alert).toContain(metric);
});

test('every alarm of the chain service has its row in the table for operators, in order', () => {
  const source = readFileSync(join(operations, '../../src/chain/service/alarm.ts'), 'utf8');
  const union = source.slice(source.indexOf('export type AlarmName'), source.indexOf("';") + 1);
  const names = [...union.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, name]) => name);
  const table = readFileSync(join(operations, 'alarms.md'), 'utf8');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
  expect(names.length).toBeGreaterThan(20);
  expect(rows.map(([, name]) => name)).toEqual(names);
  expect(runbook).toContain('(operations/alarms.md)');
});

type Panel = {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
};

test('the dashboard shows every metric of the program and uses none that does not exist', async () => {
  const registered = await registeredMetrics();
  const text = readFileSync(join(operations, 'grafana/evermark.json'), 'utf8');
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] };
  const queries: string[] = [];
  for (const { type, title, targets = [], gridPos } of panels) {
    expect(title).not.toBe('');
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    if (type !== 'row') expect(targets.length, title).toBeGreaterThan(0);
    for (const { expr, legendFormat } of targets) {
      expectQuery(expr, registered);
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const known = [...registered.values()].some(({ labels }) => labels.has(label!));
        expect(known || scraperLabels.includes(label!), legendFormat).toBe(true);
      }
      queries.push(expr);
    }
  }
  const shown = queries.join('\n');
  const own = [...registered.keys()].filter((name) => name.startsWith('evermark_'));
  const missing = own.filter((name) => !/_(sum|count)$/.test(name) && !shown.includes(name));
  expect(missing).toEqual([]);
});
