// Refuses bytes that are not an HTTP request: the head is too large, too slow, or nonsense. No
// route sees them. Their surface is unknown, so the answer can be read as one of each surface.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fullFailure } from '../api/errors/failureAnswer.ts';
import type { Clock } from '../std/clock.ts';
import type { Time } from '../units/units.ts';
import { endSocket } from './endSocket.ts';

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Sockets whose refusal waits for an earlier answer. */
const waiting = new WeakSet<Socket>();

/**
 * Answers with -1102 and the native envelope in one body, then closes. Complete earlier requests
 * are answered first: otherwise their client would take this for the answer to one of them, and a
 * placed order for a refused one.
 */
export function refuseSocket(clock: Clock, code: string, socket: Socket): void {
  const under = answerUnderWay(socket);
  if (under === undefined) {
    sendRefusal(clock, code, socket);
    return;
  }
  // Everything else that is read of this socket comes here, too.
  if (waiting.has(socket)) return;
  waiting.add(socket);
  under.once('close', () => {
    waiting.delete(socket);
    refuseSocket(clock, code, socket);
  });
}

/** The answer that must leave before the refusal: to a complete request, or already being sent. */
function answerUnderWay(socket: Socket): ServerResponse | undefined {
  // The platform's mark of the answer whose turn it is; it has no public name.
  const answer = (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage;
  const isDue = answer?.req.complete === true || answer?.writableEnded === true;
  return answer && isDue && !answer.writableFinished ? answer : undefined;
}

function sendRefusal(clock: Clock, code: string, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const now = clock.now() as Time;
  const { text } = fullFailure({ reason: 'requestMalformed' }, now);
  endSocket(
    socket,
    `HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      'X-Content-Type-Options: nosniff\r\n' +
      // The caller is unknown: a page must be able to read this, too (AUTH-9).
      'Access-Control-Allow-Origin: *\r\n' +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
