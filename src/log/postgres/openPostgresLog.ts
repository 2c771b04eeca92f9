// Opens the log on PostgreSQL for its one writer: finds the server, checks the tables, and waits
// for the lease.

import { type Clock, stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { LogPlace } from '../log.ts';
import { createLane } from './createLane.ts';
import type { Servers } from './createServers.ts';
import { type Accompanied, type HeldLog, holdLog, type LeaseWatch } from './holdLog.ts';
import { keepPartitions } from './keepPartitions.ts';
import { endClient } from './openSession.ts';
import { checkTables, type ExpectedOwner } from './tables.ts';

export type PostgresLogOptions = {
  readonly servers: Servers;
  readonly expected: ExpectedOwner;
  /** This start of this process; no other start has the same. */
  readonly holder: string;
  /** Where the other processes reach it. */
  readonly address: string;
  /** The last batch that this process knows as durable, when it takes the lease. */
  readonly known: () => LogPlace;
  /** The operator has declared that the storage of the server is replicated. */
  readonly replicatedStorage: boolean;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Receives a sentence when something keeps the log waiting; the same one once a minute. */
  readonly report: (message: string) => void;
  readonly watch?: LeaseWatch | undefined;
  /** A living holder is an error, `LeaseHeld`, instead of a reason to wait. */
  readonly impatient?: boolean | undefined;
};

/**
 * Waits until this process has the lease, and opens the log where it ends. Throws `DatabaseRefused`
 * when the database cannot be this log, `LogDamaged` when it is not where it was, and `LeaseLost`.
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<HeldLog> {
  const { servers, expected, scheduler } = options;
  const { client } = await servers.connect();
  try {
    await checkTables(client, expected);
  } finally {
    endClient(client);
  }
  const makeLane = () => createLane(servers, scheduler);
  const accompany = (held: Accompanied) => keepPartitions({ ...held, makeLane, scheduler });
  return holdLog({ ...options, stopwatch: stopwatchMs, makeLane, accompany });
}
