// Which threads listen to clients: the trading thread itself, or gateway workers beside it.

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { publicOperations } from '../api/operations.ts';
import { ConfigError } from '../config.ts';
import { closeServer } from '../gateway/closeServer.ts';
import type { ConnectionFigures } from '../gateway/connectionClients.ts';
import { createHandlers } from '../gateway/createHandlers.ts';
import { createServer } from '../gateway/createServer.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { serveSockets } from '../gateway/sockets/serveSockets.ts';
import { startGatewayWorkers, type WorkerFigures } from '../gateway/workers/startGatewayWorkers.ts';
import type { ChosenConfig } from './chooseWorkers.ts';
import type { DescriptorRoom } from './descriptorRoom.ts';
import type { Journal } from './journal.ts';

export type ClientListener = {
  readonly address: AddressInfo;
  readonly figures: () => WorkerFigures;
  readonly connections: () => ConnectionFigures;
  /** Answers the requests that have come, for at most this long; then closes every connection. */
  readonly close: (withinMs: number) => Promise<void>;
};

/** For a trading thread that listens itself. */
export const noWorkers: WorkerFigures = { running: 0, ended: 0 };

/** Throws `ConfigError` where the platform cannot share a port among threads. */
export function checkWorkers({ workers }: Pick<ChosenConfig, 'workers'>, platform: string): void {
  if (workers === 0 || platform === 'linux') return;
  throw new ConfigError(
    '--workers needs Linux, whose kernel shares one port among threads; leave it out here.',
  );
}

export type ListenOptions = {
  readonly journal: Pick<Journal, 'error'>;
  readonly room: DescriptorRoom;
};

/** Resolves when clients can connect. */
export async function listenToClients(
  { host, port, workers }: Pick<ChosenConfig, 'host' | 'port' | 'workers'>,
  gateway: Gateway,
  { journal, room }: ListenOptions,
): Promise<ClientListener> {
  const bounds = { all: room.connections };
  if (workers > 0) {
    return startGatewayWorkers({
      gateway,
      rows: publicOperations,
      count: workers,
      host,
      port,
      randomBytes,
      report: journal.error,
      bounds,
    });
  }
  const server = createServer(createHandlers(gateway, publicOperations), publicOperations, {
    bounds,
    trustedProxies: gateway.trustedProxies,
  });
  serveSockets(server.server, gateway);
  await server.listen({ host, port });
  return {
    address: server.server.address() as AddressInfo,
    figures: () => noWorkers,
    connections: () => server.figures,
    close: (withinMs) => closeServer(server, withinMs),
  };
}
