// The real program with gateway workers: it starts, serves orders and sockets, shares its port with
// no other program, and ends as it should.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeRequests, openAccounts } from '../../../bench/orderRequests.ts';
import { quietFlags, startServer } from '../../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { exchangeOnce, openLine } from './rawExchange.ts';

const flags = [...quietFlags, '--workers', '2'];

test('start --workers 2: orders, sockets, metrics, its own port, and an orderly stop', async () => {
  using directory = createTemporaryDirectory();
  using other = createTemporaryDirectory();
  const server = await startServer({ data: directory.path, flags });
  const { port } = server;
  const accounts = await openAccounts(server, 2);
  const keys = accounts.map(({ key }) => key);
  for (const text of makeRequests(keys, 20)) {
    expect(await exchangeOnce(port, text)).toMatch(/^HTTP\/1\.1 200 /);
  }
  const metrics = await (await fetch(`${server.http}/metrics`)).text();
  expect(metrics).toMatch(/request_duration_seconds_count\{operation="placeOrder",[^}]*\} 20\n/);
  const socket = new WebSocket(`${server.http.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await expect(startServer({ data: other.path, port, flags })).rejects.toThrow(/EADDRINUSE/);
  const idle = await openLine(port);
  const ended = once(idle.socket, 'close');
  expect(await server.stop()).toBe(0);
  expect((await closed)[0]).toBe(1001);
  await ended;
});
