// The thread of a gateway worker: it listens on the clients' port beside its fellows, reads
// requests, checks signatures and writes answers. What they come to is the serving thread's to say.

import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { systemClock } from '../../std/clock.ts';
import { closeServer } from '../closeServer.ts';
import { createServer } from '../createServer.ts';
import { createForwardingDoor } from './forwardingDoor.ts';
import { relaySockets } from './relaySockets.ts';
import { createUpgradeLimit } from './upgradeLimit.ts';
import type { FromWorkerMessage, GatewayWorkerData, ToWorkerMessage } from './workerMessage.ts';

/** How often the serving thread hears what became of connections. */
const figuresMs = 1000;

async function serve(port: MessagePort, data: GatewayWorkerData): Promise<void> {
  const { routes, host, bounds, socketGate, upgradesMax } = data;
  const trustedProxies = new Set(data.trustedProxies);
  const tell = (message: Exclude<FromWorkerMessage, ArrayBuffer>): void =>
    port.postMessage(message);
  const { door, take, keepDocument } = createForwardingDoor({
    clock: systemClock,
    routes,
    trustedProxies,
    post: (requests) => port.postMessage(requests, [requests]),
    onRefused: (counts) => tell({ kind: 'refused', counts }),
    onFault: (error, operation) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      tell({ kind: 'fault', message, operation });
    },
  });
  const app = createServer(door, routes, { bounds, trustedProxies });
  const telling = setInterval(
    () => tell({ kind: 'connections', figures: app.figures }),
    figuresMs,
  ).unref();
  const relay = relaySockets(app.server, {
    gate: socketGate,
    threadId,
    mayOpen: createUpgradeLimit({ trustedProxies, upgradesMax, clock: systemClock }),
    clock: systemClock,
  });
  const close = async (withinMs: number): Promise<void> => {
    await closeServer(app, withinMs, relay.destroy);
    clearInterval(telling);
    port.close();
  };
  port.on('message', (message: ToWorkerMessage) => {
    if (message instanceof ArrayBuffer) take(message);
    else if (message.kind === 'document') keepDocument(message.document);
    else if (message.kind === 'socketEnded') relay.ended(message.socket);
    else void close(message.withinMs);
  });
  // Every worker binds the port; the kernel gives each connection to one of them.
  const listening = { host, port: data.port, reusePort: true };
  await app.listen(listening);
  tell({ kind: 'listening', address: app.server.address() as AddressInfo });
}

// This file is the thread's program: it is started, never imported for its values.
await serve(must(parentPort, 'a gateway worker runs as a thread'), workerData as GatewayWorkerData);
