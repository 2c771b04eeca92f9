// The lease of a log in PostgreSQL for a program that moves a deployment: it does not wait for a
// process that lives, and ends when the step is done.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import type { Log, LogPlace } from '../log/log.ts';
import { type KeptSession, keepSession } from '../log/postgres/catchUp.ts';
import { createServers } from '../log/postgres/createServers.ts';
import { openPostgresLog } from '../log/postgres/openPostgresLog.ts';
import { openLeaseWriter, type SharedWriter } from '../log/postgres/sharedRows.ts';
import type { ExpectedOwner } from '../log/postgres/tables.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';

/** What a program with the lease can use. */
export type Held = {
  readonly log: Log;
  readonly reading: KeptSession;
  readonly shared: SharedWriter;
};

export type HoldForMove = {
  readonly config: Pick<Config, 'cluster' | 'replicatedStorage'>;
  readonly report: (message: string) => void;
  /** Looks at the database before the lease is taken; gives whose tables are meant. */
  readonly begin: (reading: KeptSession) => Promise<ExpectedOwner>;
  readonly known: () => LogPlace;
};

/** Rejects with `LeaseHeld` while a process serves the deployment. */
export async function holdForMove<Result>(
  { config, report, begin, known }: HoldForMove,
  step: (held: Held) => Promise<Result>,
): Promise<Result> {
  const holder = randomUUID();
  const { replicatedStorage } = config;
  const scheduler = systemScheduler;
  const servers = createServers({
    ...{ urls: config.cluster, replicatedStorage, scheduler },
    applicationName: `evermark ${holder}`,
  });
  const reading = keepSession(servers);
  try {
    const expected = await begin(reading);
    let epoch = 0;
    const log = await openPostgresLog({
      ...{ servers, expected, holder, replicatedStorage, scheduler, report, known },
      address: hostname(),
      clock: systemClock,
      impatient: true,
      watch: {
        seen: (lease) => {
          epoch = lease.epoch;
        },
        mayTakeOver: () => true,
        renewed: () => {},
      },
    });
    const shared = openLeaseWriter(servers, scheduler, { epoch, holder, replicatedStorage });
    try {
      return await step({ log, reading, shared });
    } finally {
      shared.end();
      await log.close();
    }
  } finally {
    reading.end();
  }
}
