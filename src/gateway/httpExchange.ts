// One HTTP request and the way of its answer. The platform reads the connection
// (platformExchange.ts), or the fast lane (lane/).

import type { Caller } from './incomingRequest.ts';
import type { ReadBody } from './readBody.ts';

/** What is written of an answer, beside what every answer of the connection has. */
export type WrittenAnswer = {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  /** undefined: none, not even an empty one. */
  readonly body: string | Uint8Array | undefined;
  /** Whether every character of a text is one of ASCII. */
  readonly isAscii?: boolean;
};

export type HttpExchange = Caller & {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  readonly readBody: ReadBody;
  /** Whether no answer can leave any more: the client has gone, or has its answer. */
  readonly isOver: () => boolean;
  /** The connection ends after the answer. */
  readonly endAfter: () => void;
  /** Called at most once, and not when the exchange is over. */
  readonly write: (answer: WrittenAnswer) => void;
  /** The answer, as the pace of connections knows it. */
  readonly answer: OpenAnswer;
};

/** An answer that has not left completely. */
export type OpenAnswer = {
  readonly statusCode: number;
  /** Bytes of it that wait outside the socket. */
  readonly writableLength: number;
};
