// An exchange of the fast lane: its request is there whole, and its answer goes straight to the
// socket. The connection has no other one meanwhile.

import type { Socket } from 'node:net';
import type { HttpExchange, OpenAnswer, WrittenAnswer } from '../httpExchange.ts';
import { bodyByHead } from '../readBody.ts';
import { answerHead, idleMs } from './answerHead.ts';
import type { LaneRequest } from './parseRequest.ts';

export type LaneOptions = {
  readonly socket: Socket;
  /** A client that has an answer to read is cut when no byte has moved for so long. */
  readonly stalledMs: number;
  /** Whether the server closes, so that the connection ends after the answer. */
  readonly isClosing: () => boolean;
  /** Called before an answer after which the connection ends. */
  readonly onEnd: () => void;
  /** Called when the answer has left. If it never does, the owner of the connection calls it. */
  readonly onLeft: () => void;
};

export type LaneExchange = HttpExchange & Pick<LaneOptions, 'onLeft'>;

export function createLaneExchange(request: LaneRequest, options: LaneOptions): LaneExchange {
  const { socket, onLeft } = options;
  const { method, target, headers, body } = request;
  const answer = { statusCode: 0, writableLength: 0 } satisfies OpenAnswer;
  let keepsAlive = true;
  return {
    method,
    target,
    headers,
    peer: socket.remoteAddress ?? '',
    answer,
    onLeft,
    readBody: (bytesMax, give) => {
      const byHead = bodyByHead(request, bytesMax);
      give(byHead === 'toRead' ? body : byHead);
    },
    isOver: () => answer.statusCode !== 0 || socket.destroyed,
    endAfter: () => {
      keepsAlive = false;
    },
    write: (written) => {
      answer.statusCode = written.status;
      writeAnswer(written, keepsAlive && !options.isClosing(), options);
    },
  };
}

function writeAnswer(
  { status, headers, body, isAscii }: WrittenAnswer,
  keepsAlive: boolean,
  { socket, stalledMs, onEnd, onLeft }: LaneOptions,
): void {
  // The client has ended its side, and the platform ours.
  if (!socket.writable) return;
  const head = answerHead({ status, headers, keepsAlive });
  if (typeof body === 'string') socket.write(head + body, isAscii === true ? 'latin1' : 'utf8');
  else if (body === undefined) socket.write(head, 'latin1');
  else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
  // The system usually takes an answer at once.
  const isTaken = socket.writableLength === 0;
  if (!isTaken) socket.setTimeout(stalledMs);
  const leave = (): void => {
    if (socket.timeout !== idleMs) socket.setTimeout(idleMs);
    onLeft();
  };
  if (!keepsAlive) {
    onEnd();
    socket.destroySoon();
  } else if (isTaken) leave();
  // Called behind the answer.
  else socket.write('', leave);
}
