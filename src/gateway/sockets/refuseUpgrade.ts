// Refuses a request for a socket with an HTTP answer in the native form. After it the connection
// ends.

import type { Duplex } from 'node:stream';
import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Refusal } from '../../api/refusal.ts';
import type { Clock } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import { endSocket } from '../endSocket.ts';

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  429: 'Too Many Requests',
};

export function refuseUpgrade(clock: Clock, stream: Duplex, refusal: Refusal): void {
  const { status, text } = failureAnswer('native', refusal, clock.now() as Time);
  endSocket(
    stream,
    `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Refused'}\r\n` +
      // Required in the answer to a handshake of another version (RFC 6455, 4.4).
      'Sec-WebSocket-Version: 13\r\n' +
      'Content-Type: application/json; charset=utf-8\r\n' +
      'X-Content-Type-Options: nosniff\r\n' +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
