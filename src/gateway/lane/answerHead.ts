// The head of an answer of the fast lane: byte for byte what the platform writes.

import { STATUS_CODES } from 'node:http';
import { systemClock } from '../../std/clock.ts';

/** How long a connection without a request stays open, as its client reads it. */
export const keepAliveMs = 75_000;
/** The platform waits one second longer than it says. */
export const idleMs = keepAliveMs + 1000;

const keptAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`;
const closed = 'Connection: close\r\n\r\n';

export type AnswerHead = {
  readonly status: number;
  /** Names and values alternate. They are the program's own: nothing in them is checked. */
  readonly headers: readonly string[];
  readonly keepsAlive: boolean;
};

export function answerHead({ status, headers, keepsAlive }: AnswerHead): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}Date: ${dateNow()}\r\n${keepsAlive ? keptAlive : closed}`;
}

let second = 0;
let date = '';

/** As HTTP writes it. It is made once in a second. */
function dateNow(): string {
  const now = Math.floor(systemClock.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}
