// Starts the gateway's workers: threads that listen on one port, forward requests to the serving
// thread and write its answers. A worker that ends unexpectedly is started again.

import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Worker } from 'node:worker_threads';
import type { Operation } from '../../api/operation.ts';
import { marketsOf } from '../../engine/views/exchange.ts';
import type { RandomBytes } from '../../secrets/secretStore.ts';
import { startThread } from '../../threads.ts';
import { addressWeightOf } from '../addressWeight.ts';
import { type ConnectionBounds, defaultConnectionBounds } from '../connectionBounds.ts';
import {
  addConnectionFigures,
  type ConnectionFigures,
  createConnectionFigures,
} from '../connectionClients.ts';
import { createHandlers } from '../createHandlers.ts';
import type { Gateway } from '../gateway.ts';
import type { Handlers, Route } from '../handlers.ts';
import { createUpgradeHandler } from '../sockets/serveSockets.ts';
import { createMadeHandler, type MadeHandler } from './createMadeHandler.ts';
import { createRingLink, createRingMemory, ringOver } from './createRingLink.ts';
import { gridOf } from './makeCommand.ts';
import { openSocketGate, type SocketGate } from './openSocketGate.ts';
import { serveForwarded } from './serveForwarded.ts';
import {
  type FromWorkerMessage,
  type GatewayWorkerData,
  type ToWorkerMessage,
  wakeUp,
} from './workerMessage.ts';

export type StartGatewayWorkers = {
  readonly gateway: Gateway;
  readonly rows: readonly Operation[];
  /** Threads; at least one. */
  readonly count: number;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly randomBytes: RandomBytes;
  /** Called when a worker has ended unexpectedly. */
  readonly report: (message: string) => void;
  /** Bounds of all workers together, if not as usual. */
  readonly bounds?: Partial<ConnectionBounds>;
  /** How long to wait before a worker is started again, if not as usual. */
  readonly restartMs?: number;
};

/** Worker threads that run now, and how many have ended unexpectedly. */
export type WorkerFigures = { readonly running: number; readonly ended: number };

export type GatewayWorkers = {
  readonly address: AddressInfo;
  /** The threads that run, in no order. */
  readonly threads: () => readonly Worker[];
  readonly figures: () => WorkerFigures;
  /** The figures of all workers since the start, at most a second old. */
  readonly connections: () => ConnectionFigures;
  /** Takes no new connections, answers open requests within this time, then ends the threads. */
  readonly close: (withinMs: number) => Promise<void>;
};

const restartMsUsual = 500;
/** How long a thread may take to end after its last answer. */
const endingMs = 1000;
/** Megabytes of a worker's heap: waiting requests are bounded (forwardingHandlers.ts). */
const heapMax = 512;

type WorkerPool = {
  readonly options: StartGatewayWorkers;
  readonly routes: readonly Route[];
  readonly handlers: Handlers;
  /** By the numbers of the routes: what performs commands that workers have made. */
  readonly byMade: readonly (MadeHandler | undefined)[];
  readonly gate: SocketGate;
  /** By the thread's number in the process. */
  readonly running: Map<number, Worker>;
  /** Figures of connections: the last report of each running thread, and the sums of ended ones. */
  readonly reported: Map<number, ConnectionFigures>;
  readonly reportedBefore: ConnectionFigures;
  readonly exits: Set<Promise<void>>;
  readonly restarts: Set<NodeJS.Timeout>;
  ended: number;
  closing: boolean;
};

/** Resolves when every worker listens; rejects, with none left, when one cannot. */
export async function startGatewayWorkers(options: StartGatewayWorkers): Promise<GatewayWorkers> {
  const { gateway, rows, count, host, port, randomBytes } = options;
  // The kernel lets threads share a port, and would let another exchange of the same user share it,
  // too.
  if (port !== 0) await assertFree(host, port);
  const running = new Map<number, Worker>();
  const gate = await openSocketGate({
    randomBytes,
    takeUpgrade: createUpgradeHandler(gateway),
    onEnded: ({ threadId, number }) => {
      const worker = running.get(threadId);
      if (worker !== undefined) post(worker, { kind: 'socketEnded', socket: number });
    },
  });
  const run: WorkerPool = {
    options,
    routes: rows.map(routeOf),
    handlers: createHandlers(gateway, rows),
    byMade: rows.map((row) => createMadeHandler(gateway, row)),
    gate,
    running,
    reported: new Map(),
    reportedBefore: createConnectionFigures(),
    exits: new Set(),
    restarts: new Set(),
    ended: 0,
    closing: false,
  };
  try {
    const address = await startWorker(run, port);
    const others = Array.from({ length: count - 1 }, () => startWorker(run, address.port));
    await Promise.all(others);
    return {
      address,
      threads: () => [...running.values()],
      figures: () => ({ running: running.size, ended: run.ended }),
      connections: () => connectionsOf(run),
      close: (ms) => close(run, ms),
    };
  } catch (error) {
    await close(run, 0);
    throw error;
  }
}

/** As plain data, because it goes to another thread. */
function routeOf(row: Operation): Route {
  const { name, method, path, aliases = [], surface, auth, countsAsOrder = false } = row;
  const addressWeight = addressWeightOf(row);
  return { name, method, path, aliases, surface, auth, countsAsOrder, addressWeight };
}

/** Rejects as `listen` does when the port is taken. */
function assertFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createTcpServer();
    probe.once('error', reject);
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

function post(worker: Worker, message: ToWorkerMessage): void {
  worker.postMessage(message);
}

function workerDataOf({ options, routes, gate }: WorkerPool, port: number): GatewayWorkerData {
  const { count, host, gateway } = options;
  return {
    routes,
    host,
    port,
    bounds: shareOf({ ...defaultConnectionBounds, ...options.bounds }, count),
    trustedProxies: [...gateway.trustedProxies],
    markets: marketsOf(gateway.replica.exchange).map(gridOf),
    upgradesMax: gateway.limits.ceilings.nativeAddress,
    socketGate: gate.key,
    rings: createRingMemory(),
  };
}

/** What to do when the worker wakes this thread, and when it has ended. */
function serveWorker(
  run: WorkerPool,
  worker: Worker,
  { rings, markets }: GatewayWorkerData,
): { readonly woken: () => void; readonly end: () => void } {
  const { options, routes, handlers, byMade } = run;
  const { exchange } = options.gateway.replica;
  const link = createRingLink({
    incoming: ringOver(rings.requests),
    outgoing: ringOver(rings.answers),
    take: (requests) => serving.take(requests),
    wake: () => post(worker, wakeUp),
  });
  const serving = serveForwarded({
    handlers,
    byMade,
    routes,
    markets: { listed: () => marketsOf(exchange), known: markets.length },
    post: link.post,
    stir: link.stir,
    onLate: (route) => noteRefused(run, route),
  });
  const end = (): void => {
    // What it had sent is served, as always: it may have an effect, but no answer.
    link.end();
    serving.abandon();
  };
  return { woken: link.woken, end };
}

/** Resolves when it listens; rejects when it ends before that. */
function startWorker(run: WorkerPool, port: number): Promise<AddressInfo> {
  const { handlers, running } = run;
  const workerData = workerDataOf(run, port);
  const worker = startThread('gateway', workerData, { maxOldGenerationSizeMb: heapMax });
  const { threadId } = worker;
  const { woken, end } = serveWorker(run, worker, workerData);
  const listening = Promise.withResolvers<AddressInfo>();
  let cause = new Error('it ended');
  running.set(threadId, worker);
  worker.on('message', (message: FromWorkerMessage) => {
    if (message === wakeUp) woken();
    else if (message.kind === 'listening') listening.resolve(message.address);
    else if (message.kind === 'connections') run.reported.set(threadId, message.figures);
    else if (message.kind === 'fault') handlers.onFault(message.message, message.operation);
    else noteRefusals(run, message.counts);
  });
  worker.on('error', (error: Error) => {
    cause = error;
  });
  const exit = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      running.delete(threadId);
      addConnectionFigures(
        run.reportedBefore,
        run.reported.get(threadId) ?? createConnectionFigures(),
      );
      run.reported.delete(threadId);
      run.exits.delete(exit);
      end();
      listening.reject(cause);
      resolve();
    });
  });
  run.exits.add(exit);
  void listening.promise.then(
    ({ port: bound }) => exit.then(() => startAgain(run, cause, bound)),
    () => {},
  );
  return listening.promise;
}

function connectionsOf({ reported, reportedBefore }: WorkerPool): ConnectionFigures {
  const sum = createConnectionFigures();
  for (const figures of [reportedBefore, ...reported.values()]) addConnectionFigures(sum, figures);
  return sum;
}

/** Each worker may hold an equal share of what all workers may hold together. */
function shareOf(bounds: ConnectionBounds, count: number): ConnectionBounds {
  const share = (all: number): number => Math.ceil(all / count);
  return {
    ...bounds,
    all: share(bounds.all),
    perAddress: share(bounds.perAddress),
    unreadBytesAll: share(bounds.unreadBytesAll),
  };
}

/** Only the connections of the ended worker are lost. */
function startAgain(run: WorkerPool, cause: Error, port: number): void {
  if (run.closing) return;
  run.ended += 1;
  const { report, restartMs = restartMsUsual } = run.options;
  report(`a gateway worker ended, and is started again: ${cause.message}`);
  const timer = setTimeout(() => {
    run.restarts.delete(timer);
    startWorker(run, port).catch((error: Error) => startAgain(run, error, port));
  }, restartMs);
  run.restarts.add(timer);
}

function noteRefusals(run: WorkerPool, counts: readonly (readonly [number, number])[]): void {
  for (const [index, count] of counts) {
    for (let i = 0; i < count; i += 1) noteRefused(run, run.routes[index]!);
  }
}

/** A refusal in a worker is measured like any answer. */
function noteRefused({ options }: WorkerPool, { name, method, path }: Route): void {
  const { onServed } = options.gateway;
  onServed?.({ operation: name, status: 429, milliseconds: 0, method, target: path });
}

async function close(run: WorkerPool, withinMs: number): Promise<void> {
  run.closing = true;
  for (const timer of run.restarts) clearTimeout(timer);
  for (const worker of run.running.values()) post(worker, { kind: 'close', withinMs });
  const impatient = setTimeout(() => {
    for (const worker of run.running.values()) void worker.terminate();
  }, withinMs + endingMs);
  await Promise.all(run.exits);
  clearTimeout(impatient);
  await run.gate.close();
}
