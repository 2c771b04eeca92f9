// Starts a process that waits for the lease of a log in PostgreSQL: it serves only later.

import { freePort } from '../fixtures/freePort.ts';
import { type RunningServer, type StartServer, startServer } from '../fixtures/startServer.ts';

export type Candidate = {
  /** Where its probes are answered; resolves when they are. */
  readonly waits: Promise<string>;
  /** Resolves when it serves. */
  readonly server: Promise<RunningServer>;
};

export function startCandidate(options: StartServer): Candidate {
  const server = freePort().then((port) => ({ port, server: startServer({ ...options, port }) }));
  return {
    server: server.then((started) => started.server),
    waits: server.then(({ port }) => untilAnswered(`http://127.0.0.1:${port}`)),
  };
}

async function untilAnswered(http: string): Promise<string> {
  for (;;) {
    const answered = await fetch(`${http}/health`).catch(() => undefined);
    if (answered !== undefined) return http;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
