// The package as Node loads it: signatures are made at once, and connections by `ws`, because Node
// 20 has no WebSocket of its own.

import { createHmac } from 'node:crypto';
import { WebSocket } from 'ws';
import type { CallsOptions } from '../../src/client/createCalls.ts';
import {
  createStreamClient as createUniversalStreamClient,
  type SocketEvents,
  type StreamClientOptions,
  type StreamSocket,
} from '../../src/client/createStreamClient.ts';
import type { Sign } from '../../src/client/rowRequest.ts';
import type { StreamClient } from '../../src/client/streamClient.ts';
import { clientOfRoutes, type OpenClient } from './clientOfRoutes.ts';

export { ApiError } from '../../src/client/apiError.ts';
export { levelsOf } from '../../src/client/book.ts';
export { gridOf } from '../../src/client/grid.ts';
export { keepBook } from '../../src/client/keepBook.ts';

/** Synchronous, so that calls leave in the order in which they were made. */
const sign: Sign = (secret, text) => createHmac('sha256', secret).update(text).digest('hex');

export const createClient = (options: CallsOptions): OpenClient =>
  clientOfRoutes({ sign, ...options });

export const createStreamClient = (options: StreamClientOptions): StreamClient =>
  createUniversalStreamClient({ openSocket, ...options });

function openSocket(url: string, { onOpen, onText, onClose }: SocketEvents): StreamSocket {
  const socket = new WebSocket(url);
  socket.on('open', onOpen);
  socket.on('message', (data) => onText(String(data)));
  socket.on('close', onClose);
  // A close event follows.
  socket.on('error', () => {});
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
