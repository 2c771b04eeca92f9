// One socket from its opening to its end: its protocol (WS-3), how many messages it may send
// (WS-5), and whether its client is still there (WS-4).

import { type Allowance, createAllowance, takeAllowance } from './allowance.ts';
import { closeCodes } from './closeCodes.ts';
import {
  type FapiSession,
  openFapiSession,
  refuseFapiText,
  takeFapiMessage,
} from './fapi/fapiSession.ts';
import {
  createNativeSession,
  expireHolder,
  type NativeSession,
  takeNativeMessage,
  tellExpired,
} from './native/nativeSession.ts';
import { errorText } from './native/streamError.ts';
import { messageRules, parseMessage } from './parseMessage.ts';
import { closeReader, endReader, type Reader, sendText } from './reader.ts';
import type { StreamContext } from './streamContext.ts';
import type { Session, SocketOpening, Speaker } from './streams.ts';

/** What connections share. */
export type Connections = {
  readonly context: StreamContext;
  readonly open: Set<Connection>;
  /** Runs a step that a client has caused; an exception in it is a fault of the exchange. */
  readonly guard: (step: () => void) => void;
};

export type Connection = {
  readonly reader: Reader;
  /** The client's network address. */
  readonly client: string;
  readonly opening: SocketOpening;
  /** Takes the client's texts in place of a session of streams, and limits them itself. */
  readonly speaker: Speaker | undefined;
  readonly allowance: Allowance;
  /** Counts messages for the client's address; false when the address may send no more. */
  readonly admitMessages: (messages: number) => boolean;
  /** Handles a message that was counted, in this turn of the event loop or in a later one. */
  readonly inTurn: (step: () => void) => void;
  /** The first message, or the address, decides between the two. */
  native: NativeSession | undefined;
  fapi: FapiSession | undefined;
  /** When its peer was last known to be there. */
  pongAt: number;
  pingAt: number;
  /** A ping of ours has no answer yet. */
  isPinged: boolean;
  /** Whether it was armed at the last sweep. */
  wasArmed: boolean;
};

export function connect(
  { context, open }: Connections,
  socket: Pick<
    Connection,
    'reader' | 'client' | 'opening' | 'admitMessages' | 'inTurn' | 'speaker'
  >,
): Connection {
  const now = context.clock.now();
  const { messagesBurst: max, messagesPerSecond: perSecond } = context.bounds;
  const connection: Connection = {
    ...socket,
    allowance: createAllowance({ max, perSecond }, now),
    native: undefined,
    fapi: undefined,
    pongAt: now,
    pingAt: now,
    isPinged: false,
    wasArmed: false,
  };
  open.add(connection);
  return connection;
}

/**
 * The session that the owner of the socket drives. It begins with the names in the socket's
 * address.
 */
export function openSession(connections: Connections, connection: Connection): Session {
  const { context, open, guard } = connections;
  const { reader, allowance, opening, admitMessages, inTurn, speaker } = connection;
  const { unsupportedData, policyViolation } = closeCodes;
  const close = (code: number, reason: string): void =>
    closeConnection(connections, connection, { code, reason });
  const allowed = (messages = 1): boolean => {
    if (reader.gone) return false;
    const now = context.clock.now();
    if (takeAllowance(allowance, now, messages) && admitMessages(messages)) return true;
    close(policyViolation, 'Too many messages.');
    return false;
  };
  if (opening.protocol === 'fapi' && !reader.gone) {
    guard(() => {
      connection.fapi = openFapiSession(context, reader, opening);
    });
  }
  return {
    onText: (text) => {
      if (speaker !== undefined) {
        if (!reader.gone) guard(() => speaker(text));
      } else if (allowed(messagesIn(text))) {
        inTurn(() => {
          if (!reader.gone) guard(() => takeText(context, connection, text));
        });
      }
    },
    onBinary: () => close(unsupportedData, 'Messages are text.'),
    onPing: () => {
      allowed();
    },
    onPong: () => {
      // The answer that we asked for counts in no limit: others may have used up the address's.
      if (!connection.isPinged && !allowed()) return;
      connection.isPinged = false;
      connection.pongAt = context.clock.now();
    },
    onClose: () => {
      endReader(reader);
      open.delete(connection);
    },
  };
}

/**
 * This many characters of a text count as one message, because a message costs the time of reading
 * it.
 */
const lengthPerMessage = 2048;

/** The number of messages as which a text counts (WS-5). */
function messagesIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / lengthPerMessage));
}

function takeText(context: StreamContext, connection: Connection, text: string): void {
  const { reader, client, opening } = connection;
  const parsed = parseMessage(text);
  if ('wrong' in parsed) {
    if (connection.fapi !== undefined) return refuseFapiText(connection.fapi, parsed.wrong);
    const message = `A message ${messageRules[parsed.wrong]}.`;
    return sendText(reader, errorText({ code: 'INVALID_PARAMETER', message }));
  }
  const { message } = parsed;
  if (connection.native === undefined && connection.fapi === undefined) {
    if ('method' in message && !('type' in message)) {
      connection.fapi = openFapiSession(context, reader, opening);
    } else connection.native = createNativeSession({ context, reader, client });
  }
  if (connection.fapi !== undefined) takeFapiMessage(connection.fapi, message);
  else if (connection.native !== undefined) takeNativeMessage(connection.native, message);
}

/**
 * Sends pings, closes a client that has been silent for too long, and ends the access of an expired
 * token.
 */
export function sweepConnection(connections: Connections, connection: Connection): void {
  const { bounds, clock } = connections.context;
  const { reader, native } = connection;
  const now = clock.now();
  const isArmed = reader.disconnect?.isArmed() ?? false;
  // Its shorter times begin now.
  if (isArmed && !connection.wasArmed) connection.pongAt = now;
  connection.wasArmed = isArmed;
  const silenceMs = isArmed ? bounds.armedSilenceMs : bounds.silenceMs;
  if (reader.gone || now - connection.pongAt >= silenceMs) {
    const { policyViolation: code } = closeCodes;
    closeConnection(connections, connection, { code, reason: 'No pong.' });
    return;
  }
  if (now - connection.pingAt >= (isArmed ? bounds.armedPingMs : bounds.pingMs)) {
    connection.pingAt = now;
    connection.isPinged = true;
    reader.wire.ping();
  }
  if (native !== undefined && expireHolder(native, now)) tellExpired(native);
}

/**
 * The exchange was away for a time, or its clock has jumped: no peer was silent in that time, and
 * each gets a ping at once.
 */
export function hearAnew(connection: Connection, now: number): void {
  connection.pongAt = now;
  connection.pingAt = Number.NEGATIVE_INFINITY;
}

export type Goodbye = { readonly code: number; readonly reason: string };

export function closeConnection(
  { open }: Connections,
  connection: Connection,
  { code, reason }: Goodbye,
): void {
  closeReader(connection.reader, code, reason);
  open.delete(connection);
}
