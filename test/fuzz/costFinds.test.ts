// The target of cost finds what it looks for: a reader whose work grows with the square of its
// text.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CostCase, createClients, createMeter, type Verdict } from '../../fuzz/costMeter.ts';
import { fill } from '../../fuzz/costShapes.ts';
import { sendAll } from '../../fuzz/costWire.ts';

const margin = 10;

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
    // Each look at the figure is work of this thread.
    restUs: 5000,
  };
  const get = (url: string): Buffer => Buffer.from(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const meter = await createMeter({
    plain: target,
    ping: get('/once'),
    margin,
  });
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
    const query = fill('a&', 11_000);
    expect((await judge(`/once?${query}`)).isOver).toBe(false);
    expect((await judge(`/quadratic?${query}`)).isOver).toBe(true);
  },
);
