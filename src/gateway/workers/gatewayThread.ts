// The thread of a gateway worker. Together with the other workers it listens on the clients' port,
// reads requests, checks signatures and writes answers. The serving thread decides the answers.

import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { systemClock } from '../../std/clock.ts';
import { setTimeSlice, shortSlice } from '../../std/timeSlice.ts';
import { closeServer } from '../closeServer.ts';
import { createServer } from '../createServer.ts';
import type { TurnGate } from '../sockets/pacedSteps.ts';
import { createRingLink, ringOver } from './createRingLink.ts';
import { createForwardingHandlers } from './forwardingHandlers.ts';
import { relaySockets } from './relaySockets.ts';
import { createUpgradeLimit } from './upgradeLimit.ts';
import {
  type FromWorkerMessage,
  type GatewayWorkerData,
  type ToWorkerMessage,
  wakeUp,
} from './workerMessage.ts';

/**
 * Bytes of requests that may wait for the serving thread before another turn begins here: some
 * ninety requests. That thread serves what it gets in the order of arrival. So clients take their
 * turns (CON-8) only with what has not been sent to it.
 */
const untakenMax = 32 * 1024;
/** How long a turn that may not begin waits. */
const laterMs = 1;

/** How often the serving thread gets the figures of connections. */
const figuresMs = 1000;

async function serve(port: MessagePort, data: GatewayWorkerData): Promise<void> {
  const { routes, host, bounds, markets, socketGate, upgradesMax, rings } = data;
  const trustedProxies = new Set(data.trustedProxies);
  const report = (message: FromWorkerMessage): void => port.postMessage(message);
  const link = createRingLink({
    incoming: ringOver(rings.answers),
    outgoing: ringOver(rings.requests),
    take: (answers) => take(answers),
    wake: () => report(wakeUp),
  });
  const { handlers, take } = createForwardingHandlers({
    clock: systemClock,
    routes,
    markets,
    trustedProxies,
    post: link.post,
    stir: link.stir,
    onRefused: (counts) => report({ kind: 'refused', counts }),
    onFault: (error, operation) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      report({ kind: 'fault', message, operation });
    },
  });
  const gate: TurnGate = {
    isOpen: () => link.untaken() <= untakenMax,
    later: (ask) => setTimeout(ask, laterMs),
  };
  const app = createServer(handlers, routes, { bounds, trustedProxies, gate });
  const reporting = setInterval(
    () => report({ kind: 'connections', figures: app.figures }),
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
    clearInterval(reporting);
    port.close();
  };
  port.on('message', (message: ToWorkerMessage) => {
    if (message === wakeUp) link.woken();
    else if (message.kind === 'socketEnded') relay.ended(message.socket);
    else void close(message.withinMs);
  });
  // Every worker binds the port; the kernel gives each connection to one of them.
  const listening = { host, port: data.port, reusePort: true };
  await app.listen(listening);
  report({ kind: 'listening', address: app.server.address() as AddressInfo });
}

// This file is the thread's program: it is started, never imported for its values.
setTimeSlice(shortSlice);
await serve(must(parentPort, 'a gateway worker runs as a thread'), workerData as GatewayWorkerData);
