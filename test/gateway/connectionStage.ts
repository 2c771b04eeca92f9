// A listener of the gateway with handlers of the test's, so that the test can count served
// requests, and clients that write bytes.

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect } from 'vitest';
import type { ConnectionFigures } from '../../src/gateway/connectionClients.ts';
import { createServer, type ServerOptions } from '../../src/gateway/createServer.ts';
import type { Handlers } from '../../src/gateway/handlers.ts';
import type { IncomingRequest } from '../../src/gateway/incomingRequest.ts';
import { type Responder, unseenUsage } from '../../src/gateway/responder.ts';
import { systemClock } from '../../src/std/clock.ts';
import type { AccountId } from '../../src/units/units.ts';

export type Opened = {
  readonly port: number;
  readonly server: Server;
  /** Targets of the served requests, in their order. */
  readonly served: string[];
  /** Requests that the test answers itself. */
  readonly later: { readonly incoming: IncomingRequest; readonly responder: Responder }[];
  readonly upgraded: Buffer[];
  readonly figures: ConnectionFigures;
  readonly close: () => Promise<void>;
};

/** What a test has opened. */
export const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export const bigBytes = 1_000_000;

export async function open(options: ServerOptions = {}, takesUpgrades = false): Promise<Opened> {
  const opened: Omit<Opened, 'port' | 'server' | 'figures' | 'close'> = {
    served: [],
    later: [],
    upgraded: [],
  };
  const answer = (responder: Responder, text: string): void =>
    responder.send({ status: 200, text }, unseenUsage);
  const serve = (incoming: IncomingRequest, responder: Responder): void => {
    opened.served.push(incoming.target);
    // Below /fapi the fast lane may read it.
    const target = incoming.target.replace(/^\/fapi/, '');
    if (target.startsWith('/later')) opened.later.push({ incoming, responder });
    else if (target.startsWith('/over')) {
      const minute = { limit: 'publicWeight', limitKey: '', minute: 0, used: 0, left: 0 } as const;
      responder.onExhausted?.(minute);
      responder.send({ status: 429, text: '"over"' }, unseenUsage);
    } else if (target.startsWith('/own')) {
      responder.onAccountExhausted?.(target.length as AccountId);
      responder.send({ status: 429, text: '"own"' }, unseenUsage);
    } else if (target.startsWith('/big')) answer(responder, 'x'.repeat(bigBytes));
    else if (incoming.method === 'GET') answer(responder, `"${incoming.target} 0"`);
    else {
      incoming.readBody(bigBytes, (body) => {
        answer(responder, `"${incoming.target} ${body instanceof Buffer ? body.length : body}"`);
      });
    }
  };
  const handlers: Handlers = {
    clock: systemClock,
    onFault: (error) => {
      throw error;
    },
    byRoute: [serve],
    refusals: {
      pathUnknown: serve,
      requestMalformed: serve,
      internal: serve,
    },
  };
  const listener = createServer(handlers, [{ method: 'GET', path: '/now' }], options);
  if (takesUpgrades) {
    listener.server.on('upgrade', (_request: IncomingMessage, stream: Duplex, head: Buffer) => {
      opened.upgraded.push(head);
      closing.push(() => stream.destroy());
      stream.on('data', (bytes: Buffer) => opened.upgraded.push(bytes));
    });
  }
  await listener.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => {
    listener.server.closeAllConnections();
    return listener.close();
  });
  const { server, figures, close } = listener;
  return { ...opened, server, port: (server.address() as AddressInfo).port, figures, close };
}

export type Peer = {
  readonly socket: Socket;
  readonly text: () => string;
  readonly ended: Promise<void>;
};

export async function peerOf(port: number, localAddress = '127.0.0.1'): Promise<Peer> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  closing.push(() => socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, text: () => text, ended };
}

export const requestOf = (target: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\n${more}\r\n`;
export const countOf = (text: string, part: string): number => text.split(part).length - 1;
export const until = (holds: () => boolean): Promise<void> =>
  expect
    .poll(holds, { interval: 1 })
    .toBe(true)
    .then(() => {});
