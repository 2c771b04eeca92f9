// Every thread beside the trading one, with the file of its program, and how it is started.
// docs/architecture/threads-and-limits.md describes what each does and must never do.

import { type ResourceLimits, Worker } from 'node:worker_threads';

/** By the name that monitoring tools show: the program, as a path from here. */
export const threads = {
  /** One: makes the log's batches durable. */
  logWriter: './log/file/logWriterThread.ts',
  /** One instead of `logWriter` for a log in PostgreSQL: follows it, gets its lease, writes it. */
  clusterLog: './log/postgres/postgresLogThread.ts',
  /** One: the second replica, snapshots, rows of history. */
  archivist: './archivist/archivistThread.ts',
  /** One when a client first queries history: runs the queries. */
  history: './history/historyThread.ts',
  /** As many as `--workers` says: serve the clients' connections. */
  gateway: './gateway/workers/gatewayThread.ts',
  /** One: recovers the signers of logins. */
  signatures: './gateway/identity/signatureThread.ts',
  /** One after the start: builds the trading page and the documentation, and ends. */
  pages: './gateway/pages/pageThread.ts',
  /** One where a vault is configured: the chain service. */
  chain: './chain/service/chainThread.ts',
  /** One when a key is first made or changed: writes the secret store. */
  secrets: './secrets/secretStoreThread.ts',
};

/** Starts one more thread of this kind. It does not get the flags of the process. */
export function startThread(
  name: keyof typeof threads,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const program = new URL(threads[name], import.meta.url);
  return new Worker(program, { workerData, name, execArgv: [], resourceLimits });
}
