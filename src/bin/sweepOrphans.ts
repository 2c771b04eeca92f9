// Removes sealed rows that no command of the log names: a process has died between the row and the
// command. Only the holder of the lease does it, because it alone knows the end of the log, and
// only for rows that are so old that their command cannot come any more: it would be past its
// deadline.

import { allApiKeys, apiKeyByText, type Exchange } from '../engine/views/exchange.ts';
import { keepSession } from '../log/postgres/catchUp.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import { openLeaseWriter, readOldNames } from '../log/postgres/sharedRows.ts';
import { sweepSecrets } from '../log/postgres/sharedStatement.ts';
import type { Replica } from '../replica/replica.ts';
import { systemScheduler } from '../std/scheduler.ts';

/** The lease under which the rows are removed. */
type Writer = Parameters<typeof openLeaseWriter>[2];

export type SweepOrphans = {
  readonly servers: Servers;
  readonly writer: Writer;
  /** At the end of the log. */
  readonly replica: Pick<Replica, 'exchange' | 'whenDurable'>;
};

export type KeepSwept = Pick<SweepOrphans, 'servers' | 'replica'> &
  Writer & { readonly report: (error: unknown) => void };

/** The first sweep waits until what another process has begun under the former lease is too old. */
const firstMs = 11 * 60_000;
const everyMs = 24 * 60 * 60_000;

/** Sweeps while this process has the lease; gives a function that ends it. */
export function keepSwept({ servers, replica, report, ...writer }: KeepSwept): () => void {
  const { epoch, holder, replicatedStorage } = writer;
  const sweep = (): void => {
    cancel = systemScheduler.after(everyMs, sweep);
    const options = { servers, replica, writer: { epoch, holder, replicatedStorage } };
    sweepOrphans(options).catch(report);
  };
  let cancel = systemScheduler.after(firstMs, sweep);
  return () => cancel();
}

type Orphans = { readonly apiKeys: readonly string[]; readonly refs: readonly string[] };

/** Gives the number of names that it found. Rejects when the lease is another's. */
export async function sweepOrphans({ servers, writer, replica }: SweepOrphans): Promise<number> {
  const { apiKeys, refs } = await findOrphans(servers, replica.exchange);
  // A deletion that is not durable yet may never have been: its key would be lost.
  await new Promise<void>((resolve) => replica.whenDurable(resolve));
  const shared = openLeaseWriter(servers, systemScheduler, writer);
  try {
    await shared.write((fence) => sweepSecrets(fence, { apiKeys, refs }));
  } finally {
    shared.end();
  }
  return apiKeys.length + refs.length;
}

async function findOrphans(servers: Servers, exchange: Exchange): Promise<Orphans> {
  const session = keepSession(servers);
  // A row as old as those of the sweep comes into force no more.
  const inForce = new Set<string>();
  for (const { profile } of allApiKeys(exchange)) inForce.add(profile);
  const [apiKeys, refs]: [string[], string[]] = [[], []];
  try {
    await session.use(async (each) => {
      for await (const names of readOldNames(each, 'secret')) {
        for (const name of names) if (!apiKeyByText(exchange, name)) apiKeys.push(name);
      }
      for await (const names of readOldNames(each, 'profile')) {
        for (const name of names) if (!inForce.has(name)) refs.push(name);
      }
    });
  } finally {
    session.end();
  }
  return { apiKeys, refs };
}
