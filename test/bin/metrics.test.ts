// What a scraper reads: each metric reports what happened, has a help text, and is in the
// operator's list with what to do about it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/bin/createMetrics.ts';
import type { Command } from '../../src/engine/command.ts';
import type { AccountId, MarketId, Money } from '../../src/units/units.ts';
import { createSteppedReplica } from '../fixtures/steppedReplica.ts';
import { quietMetrics, readMetrics } from './readMetrics.ts';

const credit = (reference: string, amount: number): Command => ({
  kind: 'credit',
  address: `0x${'1'.repeat(40)}`,
  amount: amount as Money,
  reference,
});

const cancelAll = (account: number): Command => ({
  kind: 'cancelAllOrders',
  account: account as AccountId,
  market: 0 as MarketId,
});

test('commands are counted by kind and rejections by reason, those of a batch too', async () => {
  const { replica, clock, send, turn } = createSteppedReplica();
  const metrics = createMetrics({ ...quietMetrics, replica, clock });
  send('first', credit('a', 5));
  send('again', credit('a', 6));
  const cancel = { account: 9 as AccountId, market: undefined, order: { clientOrderId: 'x' } };
  send('batch', { kind: 'batch', items: [{ kind: 'cancelOrder', ...cancel }] });
  send('unknown', cancelAll(9));
  turn();
  const { reported } = await readMetrics(metrics);
  expect(reported('commands_total')).toEqual([
    'evermark_commands_total{kind="credit"} 2',
    'evermark_commands_total{kind="batch"} 1',
    'evermark_commands_total{kind="cancelOrder"} 1',
    'evermark_commands_total{kind="cancelAllOrders"} 1',
  ]);
  expect(reported('rejections_total')).toEqual([
    'evermark_rejections_total{reason="referenceConflict"} 1',
    'evermark_rejections_total{reason="accountUnknown"} 2',
  ]);
});

test('a batch is measured with its commands when it is durable', async () => {
  const { replica, clock, log, send, turn } = createSteppedReplica();
  const metrics = createMetrics({ ...quietMetrics, replica, clock });
  send('first', credit('a', 5));
  send('second', credit('b', 5));
  turn();
  const before = await readMetrics(metrics);
  expect(before.reported('log_sync_seconds_count')).toEqual(['evermark_log_sync_seconds_count 0']);
  log.sync();
  const { reported } = await readMetrics(metrics);
  expect(reported('log_sync_seconds_count')).toEqual(['evermark_log_sync_seconds_count 1']);
  expect(reported('log_batch_commands_sum')).toEqual(['evermark_log_batch_commands_sum 2']);
  expect(reported('log_bytes_total')[0]).toMatch(/ [1-9]\d+$/);
});

test('answers are measured by operation and class of status', async () => {
  const { replica, clock } = createSteppedReplica();
  const metrics = createMetrics({ ...quietMetrics, replica, clock });
  for (const [status, milliseconds] of [
    [200, 1.5],
    [200, 40],
    [429, 0.1],
  ] as const) {
    metrics.onServed({ operation: 'placeOrder', status, milliseconds });
  }
  const { reported } = await readMetrics(metrics);
  const counted = reported('http_request_duration_seconds_count');
  expect(counted).toEqual([
    'evermark_http_request_duration_seconds_count{operation="placeOrder",status="2xx"} 2',
    'evermark_http_request_duration_seconds_count{operation="placeOrder",status="4xx"} 1',
  ]);
  const [below] = reported(
    'http_request_duration_seconds_bucket{le="0.002",operation="placeOrder"',
  );
  expect(below).toMatch(/status="2xx"} 1$/);
});

test('a reader of the log shows how far behind it is, in batches and seconds', async () => {
  const { replica, clock, log, send, turn } = createSteppedReplica();
  let progress = { position: 0, time: clock.now() };
  const readers = { archivist: () => progress };
  const metrics = createMetrics({ ...quietMetrics, replica, clock, readers });
  for (let second = 1; second <= 3; second += 1) {
    clock.advance(1000);
    send('', credit(`${second}`, 5));
    turn();
    log.sync();
  }
  const behind = await readMetrics(metrics);
  expect(behind.reported('reader_')).toEqual([
    'evermark_reader_position{reader="archivist"} 0',
    'evermark_reader_lag_batches{reader="archivist"} 3',
    'evermark_reader_lag_seconds{reader="archivist"} 3',
  ]);
  progress = { position: 3, time: clock.now() };
  const level = await readMetrics(metrics);
  expect(level.reported('reader_lag_seconds')).toEqual([
    'evermark_reader_lag_seconds{reader="archivist"} 0',
  ]);
});

test('messages lost with slow readers, free disk space and refused orders are counted', async () => {
  let pressed = false;
  const { replica, clock } = createSteppedReplica({
    shortage: () => (pressed ? 'diskFull' : undefined),
  });
  const metrics = createMetrics({ ...quietMetrics, replica, clock, invariantFailures: () => 2 });
  const before = await readMetrics(metrics);
  expect(before.reported('orders_refused')).toEqual(['evermark_orders_refused 0']);
  pressed = true;
  replica.tick();
  const { reported } = await readMetrics(metrics);
  expect(reported('orders_refused')).toEqual(['evermark_orders_refused 1']);
  expect(reported('stream_readers_cut_total')).toEqual(['evermark_stream_readers_cut_total 4']);
  expect(reported('stream_bytes_dropped_total')).toEqual([
    'evermark_stream_bytes_dropped_total 900',
  ]);
  expect(reported('disk_free_bytes')).toEqual(['evermark_disk_free_bytes 7000000000']);
  expect(reported('disk_free_min_bytes')).toEqual(['evermark_disk_free_min_bytes 536870912']);
  expect(reported('invariant_failures')).toEqual(['evermark_invariant_failures 2']);
});

test('CON-1 metrics count refused connections by reason, and evicted ones', async () => {
  const { replica, clock } = createSteppedReplica();
  const { reported } = await readMetrics(createMetrics({ ...quietMetrics, replica, clock }));
  expect(reported('connections_')).toEqual([
    'evermark_connections_refused_total{reason="address"} 6',
    'evermark_connections_refused_total{reason="site"} 7',
    'evermark_connections_refused_total{reason="all"} 8',
    'evermark_connections_evicted_total 9',
  ]);
});

test('each node of the chain has its place and its host, and never its address', async () => {
  const { replica, clock } = createSteppedReplica();
  const { reported } = await readMetrics(createMetrics({ ...quietMetrics, replica, clock }));
  expect(reported('chain_node_wrong')).toEqual([
    'evermark_chain_node_wrong{node="1",host="n1.example"} 0',
    'evermark_chain_node_wrong{node="2",host="n2.example"} 1',
    'evermark_chain_node_wrong{node="3",host="n3.example"} 0',
  ]);
});

test('every metric has a help text and a line in the list for operators, which has no others', async () => {
  const { replica, clock } = createSteppedReplica();
  const { help } = await readMetrics(createMetrics({ ...quietMetrics, replica, clock }));
  const own = [...help.keys()].filter((name) => name.startsWith('evermark_'));
  for (const name of own) expect(help.get(name), name).toMatch(/^[A-Z].*\.$/);
  const path = join(import.meta.dirname, '../../docs/operations/metrics.md');
  const listed = [...readFileSync(path, 'utf8').matchAll(/^\| `(evermark_\w+)/gm)].map(
    ([, name]) => name!,
  );
  expect(listed.sort()).toEqual(own.sort());
  expect(help.has('nodejs_eventloop_lag_seconds')).toBe(true);
  expect(help.has('nodejs_heap_size_used_bytes')).toBe(true);
});
