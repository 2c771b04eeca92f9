// What a process that waits for the lease serves: clients may not use up what it needs to serve.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openWaitingListeners } from '../../src/bin/openWaitingListeners.ts';

const host = '127.0.0.1';

async function openListeners(): Promise<number> {
  const waiting = await openWaitingListeners({
    config: {
      ...{ host, port: 0, operatorHost: host, operatorPort: 0, workers: 0 },
      trustedProxies: ['127.0.0.1'],
    },
    journal: { error: (message) => expect.unreachable(message) },
    standing: () => ({ role: 'candidate', position: 7, lagMs: 3 }),
  });
  onTestFinished(() => waiting.close());
  return waiting.clients.port;
}

test('CON-2 a process that waits holds few connections, also of a proxy, and answers probes', async () => {
  const port = await openListeners();
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let count = 0; count < 300; count += 1) {
    const socket = connect({ host, port });
    socket.on('error', () => {});
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  }
  const health = await fetch(`http://${host}:${port}/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { role: 'candidate' }]);
  const order = await fetch(`http://${host}:${port}/fapi/v1/order`, { method: 'POST', body: 'a&' });
  expect(order.status).not.toBe(200);
  await order.text();
  // A closed connection is seen by its client a moment later.
  const open = () => sockets.filter(({ closed }) => !closed).length;
  for (const end = performance.now() + 600_000; open() > 64 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(open()).toBeLessThanOrEqual(64);
});
