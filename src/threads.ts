// Every thread that runs beside the trading one, with the file that is its program, and how it is
// started. What each does, and must never do: docs/architecture/threads-and-limits.md.

import { type ResourceLimits, Worker } from 'node:worker_threads';

/** By name, which monitoring tools show: the program, as a path from here. */
export const threads = {
  /** One: the log's batches become durable. */
  logWriter: './log/file/logWriterThread.ts',
  /** One: the second replica, snapshots, rows of history. */
  archivist: './archivist/archivistThread.ts',
  /** One when history is asked for: its queries. */
  history: './history/historyThread.ts',
  /** As many as `--workers` says: the clients' connections. */
  gateway: './gateway/workers/gatewayThread.ts',
  /** One: the signers of logins. */
  signatures: './gateway/identity/signatureThread.ts',
};

/** Starts one more thread of the kind. Flags of the process are not handed on. */
export function startThread(
  name: keyof typeof threads,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const program = new URL(threads[name], import.meta.url);
  return new Worker(program, { workerData, name, execArgv: [], resourceLimits });
}
