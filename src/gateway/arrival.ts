// One HTTP request as it arrived: its head, and the way to its body; nothing is understood. The
// thread that read it may be the one that trades or another (workers/); what is done with it is the
// door's (door.ts).

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HmacKey } from './identity/hmacSignature.ts';
import type { AnswerExit } from './pendingAnswer.ts';
import type { ReadBody } from './readBody.ts';

/** What is known of a request's signature; unknown: whoever needs to know computes it. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unknown';

export type Arrival = {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** The address of the socket's other end. */
  readonly peer: string;
  readonly headers: IncomingHttpHeaders;
  /** What refuses the request by its head leaves the body unread. To be called once at most. */
  readonly readBody: ReadBody;
  /** Of the path, by the names of the route. */
  readonly params: Readonly<Record<string, string>>;
  /** By the stopwatch. */
  readonly startedAt: number;
  readonly verdict: SignatureVerdict;
  /** Hears of the secret of a key whose signature was good and its verdict unknown. */
  readonly learn?: ((apiKey: string, key: HmacKey) => void) | undefined;
};

/** Answers every request that it is given, now or later. */
export type Serve = (arrival: Arrival, exit: AnswerExit) => void;

/** The other end of a request, with what it says of itself. */
export type Caller = Pick<Arrival, 'peer' | 'headers'>;

/** Who asks for a socket. */
export function callerOf({ socket, headers }: IncomingMessage): Caller {
  return { peer: socket.remoteAddress ?? '', headers };
}
