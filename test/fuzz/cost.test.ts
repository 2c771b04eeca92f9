// A few cases of the targets of cost and of work in every test run, and a check that they find what
// they look for. Costs are compared with a plain request of the same run and may be ten times their
// budget. No noise of the machine makes a request that expensive when it is read only once.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CostCase, createClients, createMeter, type Verdict } from '../../fuzz/costMeter.ts';
import { fill } from '../../fuzz/costShapes.ts';
import { createCostTarget } from '../../fuzz/costTarget.ts';
import { sendAll } from '../../fuzz/costWire.ts';
import { createWorkTarget } from '../../fuzz/workTarget.ts';

const margin = 10;

test.runIf(process.platform === 'linux')(
  'no request costs the trading thread many times its budget',
  { timeout: 600_000 },
  async () => {
    const target = createCostTarget({ margin, makers: 8, violationsMax: 20 });
    const report = await target({ seed: 1, count: 260, trying: () => {}, stopped: () => false });
    expect(report.violations).toEqual([]);
    expect(report.cases).toBeGreaterThan(10);
  },
);

test('no command costs the engine many times the weight that it is charged', async () => {
  const target = createWorkTarget({ margin });
  const report = await target({ seed: 1, count: 8, trying: () => {}, stopped: () => false });
  expect(report.violations).toEqual([]);
});

let server: Server;
const clients = createClients();

/** Reads a query once, or from each of its bytes to the end. */
function read(url: string): number {
  const query = url.slice(url.indexOf('?') + 1);
  let found = 0;
  const starts = url.startsWith('/once') ? 1 : query.length;
  for (let start = 0; start < starts; start += 1) {
    for (let at = start; at < query.length; at += 1) if (query.charCodeAt(at) === 61) found += 1;
  }
  return found;
}

beforeEach(async () => {
  server = createServer((request, response) => response.end(String(read(request.url ?? ''))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  clients.close();
  server.close();
});

/** The server runs on the thread of the test, so every figure includes the work of the clients. */
async function judge(path: string): Promise<Verdict> {
  const target = {
    port: (server.address() as AddressInfo).port,
    cpuUs: () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1000,
    sleeps: () => true,
  };
  const get = (url: string): Buffer => Buffer.from(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const meter = await createMeter({ plain: target, ping: get('/once'), limited: undefined });
  const tried: CostCase = {
    kind: 'stranger',
    what: path,
    target,
    weight: 1,
    burstMax: 5,
    prepare: async (count) => {
      const requests = Array.from({ length: count }, () => get(path));
      const open = clients.of(target);
      return () => sendAll({ clients: open, requests, fresh: false, pipelined: false });
    },
  };
  try {
    return await meter.judge(tried);
  } finally {
    meter.close();
  }
}

test.runIf(process.platform === 'linux')(
  'a reader that scans its text for every byte is found, one that scans it once is not',
  async () => {
    const query = fill('a&', 6_000);
    expect((await judge(`/once?${query}`)).ratio).toBeLessThan(margin);
    expect((await judge(`/quadratic?${query}`)).ratio).toBeGreaterThan(margin);
  },
);
