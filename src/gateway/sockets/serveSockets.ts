// WebSockets: accepts or refuses upgrades, bounds the open sockets of an address (WS-5), and
// connects each socket with its session. The messages are handled in streams/ and in
// tradingHandler.ts.

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Refusal } from '../../api/refusal.ts';
import type { SocketOpening } from '../../streams/streams.ts';
import type { Gateway } from '../gateway.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import { type Caller, callerOf } from '../incomingRequest.ts';
import { clientOf } from '../pendingRequest.ts';
import { recordOf, takeInMinute } from '../rateLimits.ts';
import { addressRefusals } from '../refusalPace.ts';
import { createPacedSteps } from './pacedSteps.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';
import { createSocketCounts } from './socketCounts.ts';
import { createSocketFlushes, type SocketFlushes } from './socketFlushes.ts';
import { parseSocketPath } from './socketPath.ts';
import { createTradingHandler, type TradingHandler } from './tradingHandler.ts';
import { wireOf } from './wireOf.ts';

/** The longest message that is read; more closes the socket with 1009. */
export const messageBytesMax = 32 * 1024;
/** New sockets in one turn of the event loop, and messages of readers of streams (CON-7). */
const opensPerTurn = 2;
const messagesPerTurn = 4;
/** Fragments that a message may have. */
const fragmentsMax = 64;
/**
 * Answers to a peer's pings that may wait in its socket; with more it is cut. It is more than a
 * peer may send at once (WS-5), so that a peer that sends too many gets the code for that.
 */
const pongsWaitingMax = 128;
/** How long a peer has to answer our close frame. */
const closeTimeoutMs = 2000;

/** A request that asks for a socket, its caller, and the stream that it becomes. */
export type Upgrade = {
  readonly request: IncomingMessage;
  readonly stream: Duplex;
  readonly head: Buffer;
  readonly caller: Caller;
};

/** Takes the listener's upgrades from now on. */
export function serveSockets(server: Server, gateway: Gateway): void {
  const takeUpgrade = createUpgradeHandler(gateway);
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    takeUpgrade({ request, stream, head, caller: callerOf(request) });
  });
}

const socketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: messageBytesMax,
  maxFragments: fragmentsMax,
  // One message of a socket in a turn of the event loop: one read may have ten thousand.
  allowSynchronousEvents: false,
  // The library's types do not have this yet.
  maxPendingAutoPongs: pongsWaitingMax,
  closeTimeout: closeTimeoutMs,
};

/** Handles upgrades, read in this thread or by workers, and counts them together. */
export function createUpgradeHandler(gateway: Gateway): (upgrade: Upgrade) => void {
  const sockets = new WebSocketServer(socketOptions);
  const trading = createTradingHandler(gateway);
  const flushes = createSocketFlushes();
  const counts = createSocketCounts(gateway.limits.ceilings.sockets);
  // For a bad handshake the library would answer with a text of its own.
  sockets.on('wsClientError', (_error, stream) => {
    refuseUpgrade(gateway.clock, stream, { reason: 'requestMalformed' });
  });
  const openInTurn = createPacedSteps(opensPerTurn);
  const sayInTurn = createPacedSteps(messagesPerTurn);
  const open = ({ request, stream, head }: Upgrade, client: string, limitKey: string): void => {
    const refusal = takeRequest(gateway, limitKey);
    if (refusal !== undefined) {
      addressRefusals.add(stream);
      return refuseUpgrade(gateway.clock, stream, refusal);
    }
    const opening = parseSocketPath(request.url ?? '');
    if (opening === undefined || !counts.take(limitKey, stream)) {
      const reason = opening === undefined ? 'pathUnknown' : 'tooManyRequests';
      return refuseUpgrade(gateway.clock, stream, { reason });
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const url = request.url ?? '';
      const admitMessages = (messages: number): boolean =>
        takeMessages(gateway, limitKey, messages);
      const inTurn = (step: () => void): void =>
        sayInTurn(limitKey, () => {
          const isOpen = socket.readyState === WebSocket.OPEN;
          if (isOpen) step();
          return isOpen;
        });
      const accepted = { flushes, inTurn, socket, stream, client, opening, url, admitMessages };
      startSession(gateway, trading, accepted);
    });
  };
  return (upgrade) => {
    const { stream, caller } = upgrade;
    stream.on('error', () => stream.destroy());
    const client = clientOf(gateway, caller);
    const limitKey = limitKeyOf(client);
    openInTurn(limitKey, () => {
      if (stream.destroyed) return false;
      open(upgrade, client, limitKey);
      return true;
    });
  };
}

/** Counts the request for its address before it is read. Gives a refusal when nothing is left. */
function takeRequest({ clock, limits }: Gateway, limitKey: string): Refusal | undefined {
  const now = clock.now();
  const { native } = recordOf(limits.addresses, limitKey, now);
  const ceiling = limits.ceilings.nativeAddress;
  const taken = takeInMinute(native, { amount: 1, ceiling, now });
  return taken ? undefined : { reason: 'tooManyRequests' };
}

/** Counts messages of a socket for its address; false when nothing is left of the minute. */
function takeMessages({ clock, limits }: Gateway, limitKey: string, amount: number): boolean {
  const now = clock.now();
  const { messages } = recordOf(limits.addresses, limitKey, now);
  return takeInMinute(messages, { amount, ceiling: limits.ceilings.socketMessages, now });
}

type AcceptedSocket = {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly flushes: SocketFlushes;
  /** Handles a message that was counted when it is the client's turn. */
  readonly inTurn: (step: () => void) => void;
  readonly client: string;
  readonly opening: SocketOpening;
  readonly url: string;
  readonly admitMessages: (messages: number) => boolean;
};

function startSession(
  { streams }: Gateway,
  trading: TradingHandler,
  accepted: AcceptedSocket,
): void {
  const { socket, stream, flushes, inTurn, client, opening, url, admitMessages } = accepted;
  // An error of the peer; the library itself closes the socket.
  socket.on('error', () => {});
  const session = streams.open({
    wire: wireOf(socket, stream, flushes),
    client,
    opening,
    admitMessages,
    inTurn,
    ...(opening.protocol === 'trading'
      ? { speaker: (reader) => trading({ reader, client, url }) }
      : {}),
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary) session.onBinary();
    else session.onText(String(data));
  });
  socket.on('ping', session.onPing);
  socket.on('pong', session.onPong);
  socket.on('close', session.onClose);
}
