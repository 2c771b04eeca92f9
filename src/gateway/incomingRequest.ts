// One HTTP request as it arrived: its head and a way to read its body, not interpreted. The trading
// thread may have read it, or a worker (workers/). A handler (handlers.ts) decides what happens to
// it.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HmacKey } from './identity/hmacSignature.ts';
import type { ReadBody } from './readBody.ts';
import type { Responder } from './responder.ts';

/** What is known of a request's signature. If it is unknown, the handler computes it. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unknown';

/** The headers that handlers read of a request. */
export const handlerHeaderNames = [
  'x-mbx-apikey',
  'content-type',
  'authorization',
  'idempotency-key',
  'x-forwarded-for',
  'content-length',
  'transfer-encoding',
  // Of logins alone (AUTH-11).
  'user-agent',
] as const satisfies readonly (keyof IncomingHttpHeaders)[];

/** With those that the listener itself reads: for pages of other origins, and for documents. */
export const readHeaderNames = [
  ...handlerHeaderNames,
  'origin',
  'accept-encoding',
  'if-none-match',
] as const satisfies readonly (keyof IncomingHttpHeaders)[];

export type ReadHeaders = Readonly<
  Partial<Pick<IncomingHttpHeaders, (typeof readHeaderNames)[number]>>
>;

export type IncomingRequest = {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** The address of the socket's other end. */
  readonly peer: string;
  readonly headers: ReadHeaders;
  /** A handler that refuses a request by its head does not read the body. Called at most once. */
  readonly readBody: ReadBody;
  /** The values in the path, by the names of the route. */
  readonly params: Readonly<Record<string, string>>;
  /** By the stopwatch. */
  readonly startedAt: number;
  readonly verdict: SignatureVerdict;
  /** Called with the secret of a key whose signature was good and whose verdict was unknown. */
  readonly learn?: ((apiKey: string, key: HmacKey) => void) | undefined;
};

/** Answers each request that it gets, now or later. */
export type Handler = (incoming: IncomingRequest, responder: Responder) => void;

/** The other end of a request: its address and its headers. */
export type Caller = Pick<IncomingRequest, 'peer' | 'headers'>;

/** The caller of a request of the platform. */
export function callerOf({ socket, headers }: IncomingMessage): Caller {
  return { peer: socket.remoteAddress ?? '', headers };
}
