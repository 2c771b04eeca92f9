// What clients and the operator find while a process with a log in PostgreSQL waits for the lease:
// probes are answered, and everything else is refused.

import type { AddressInfo } from 'node:net';
import { answerJson } from '../api/operation.ts';
import { closeServer } from '../gateway/closeServer.ts';
import type { RoutedRow } from '../gateway/createRouter.ts';
import { createServer, type HttpListener } from '../gateway/createServer.ts';
import { isFapiPath } from '../gateway/fapiPath.ts';
import type { Handlers } from '../gateway/handlers.ts';
import { trustedProxySet } from '../gateway/identity/clientAddress.ts';
import type { Handler } from '../gateway/incomingRequest.ts';
import { unseenUsage } from '../gateway/responder.ts';
import { systemClock } from '../std/clock.ts';
import type { Time } from '../units/units.ts';
import type { ChosenConfig } from './chooseWorkers.ts';
import { descriptorRoom, operatorBounds, readDescriptors } from './descriptorRoom.ts';
import type { Journal } from './journal.ts';
import { listening } from './listening.ts';
import { releaseVersion } from './releaseVersion.ts';
import { type ClusterStanding, standingMembers } from './standingMembers.ts';

export type OpenWaitingListeners = {
  readonly config: Pick<
    ChosenConfig,
    'host' | 'port' | 'operatorHost' | 'operatorPort' | 'workers' | 'trustedProxies'
  >;
  readonly journal: Pick<Journal, 'error'>;
  /** undefined: it does not know yet. */
  readonly standing: () => ClusterStanding | undefined;
};

export type WaitingListeners = {
  readonly clients: AddressInfo;
  readonly operator: AddressInfo;
  /** Frees the operator's address. */
  readonly closeOperator: () => Promise<void>;
  /** Frees both addresses. */
  readonly close: () => Promise<void>;
};

/**
 * Connections of clients. Only probes need them, and when the process serves, those that are still
 * open lessen what it has for clients (CON-2).
 */
const connectionsMax = 64;

const healthRow: RoutedRow = { method: 'GET', path: '/health', aliases: [] };
/** How long requests that are being answered may take. */
const closingMs = 200;

/** Rejects when it cannot listen. */
export async function openWaitingListeners(
  options: OpenWaitingListeners,
): Promise<WaitingListeners> {
  const { config } = options;
  const handlers = waitingHandlers(options);
  const room = descriptorRoom(readDescriptors(), config.workers);
  const open = async (prefix: '' | 'operator-', at: { host: string; port: number }) => {
    const all = Math.min(room.connections, connectionsMax);
    const bounds = prefix === '' ? { all } : operatorBounds;
    const trustedProxies = trustedProxySet(config.trustedProxies);
    const server = createServer(handlers, [healthRow], { bounds, trustedProxies });
    await listening(prefix, at, server.listen(at));
    return server;
  };
  const operator = await open('operator-', {
    host: config.operatorHost,
    port: config.operatorPort,
  });
  let clients: HttpListener;
  try {
    clients = await open('', config);
  } catch (error) {
    await operator.close();
    throw error;
  }
  const closeOperator = () => closeServer(operator, closingMs);
  return {
    clients: clients.server.address() as AddressInfo,
    operator: operator.server.address() as AddressInfo,
    closeOperator,
    close: async () => {
      await Promise.all([closeServer(clients, closingMs), closeOperator()]);
    },
  };
}

function waitingHandlers({ standing, journal }: OpenWaitingListeners): Handlers {
  // It is in a file, which no probe should read again.
  const version = releaseVersion();
  const health: Handler = (_, responder) => {
    const members = standingMembers(standing());
    const answer = answerJson({ status: 'ok', version, ...members });
    responder.send(answer, unseenUsage);
  };
  const refusalOf =
    (reason: 'waiting' | 'requestMalformed' | 'internal'): Handler =>
    ({ target }, responder) => {
      const surface = isFapiPath(target) ? 'fapi' : 'native';
      const now = systemClock.now() as Time;
      responder.send(responder.failureOf(surface, { reason }, now), unseenUsage);
    };
  return {
    clock: systemClock,
    byRoute: [health],
    refusals: {
      pathUnknown: refusalOf('waiting'),
      requestMalformed: refusalOf('requestMalformed'),
      internal: refusalOf('internal'),
    },
    onFault: (error, operation) => journal.error(`fault in ${operation}: ${String(error)}`),
  };
}
