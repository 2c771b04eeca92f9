// The target of cost finds what it looks for: a reader whose work grows with the square of its
// text.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CostCase, createClients, createMeter, type Verdict } from '../../fuzz/costMeter.ts';
import { fill } from '../../fuzz/costShapes.ts';
import { targetOf } from '../../fuzz/costStage.ts';
import { sendAll } from '../../fuzz/costWire.ts';

const margin = 10;

let server: ChildProcess;
let port: number;
const clients = createClients();

beforeEach(async () => {
  server = fork(join(import.meta.dirname, 'scanningServer.ts'));
  [port] = (await once(server, 'message')) as [number];
});
afterEach(() => {
  clients.close();
  server.kill();
});

async function judge(path: string): Promise<Verdict> {
  const target = targetOf({ pid: server.pid!, port });
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
