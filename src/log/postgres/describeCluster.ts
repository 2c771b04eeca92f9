// What the operator sees of a log in PostgreSQL: the server, the lease, the last batch, the
// processes of the deployment, and the connections. It only reads.

import type pg from 'pg';
import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { waitsFor } from './engineTurn.ts';
import { type Life, lifeOf, type MemberReport } from './members.ts';
import type { Session } from './openSession.ts';
import type { TablesOwner } from './tables.ts';
import { watchMembers } from './watchMembers.ts';

export type ClusterDescription = TablesOwner & {
  readonly server: string;
  readonly version: number;
  readonly timeline: number;
  readonly standbyNames: string;
  readonly lease: {
    readonly epoch: number;
    /** Empty: no process has ever had it. */
    readonly holder: string;
    readonly address: string;
    readonly released: boolean;
    /** By the database's clock. */
    readonly renewedAgoMs: number;
  };
  /** undefined: the log is empty. Whether it is durable, only the holder of the lease knows. */
  readonly last: LastBatch | undefined;
  /** The first batch that has not been removed. */
  readonly beginsWith: number;
  /** None: the log is one table, which an earlier release made. */
  readonly partitions: readonly Partition[];
  readonly members: readonly Member[];
  readonly connections: readonly Connections[];
};

export type LastBatch = {
  readonly position: number;
  readonly epoch: number;
  readonly hash: Buffer;
  readonly time: number;
  readonly engineHash: string;
};

/** It takes the positions from `first` on, and ends before `next`. */
export type Partition = { readonly first: number; readonly next: number };

/** A process of the deployment. */
export type Member = MemberReport & {
  readonly life: Life;
  /** How many batches of the log it has not applied yet. */
  readonly lag: number;
  /** The processes that must end before this one may take the lease, by their engine. */
  readonly waitsFor: readonly string[];
};

/** The sessions of one process, those of subcommands included. */
export type Connections = {
  readonly process: string;
  readonly from: string;
  readonly sessions: number;
};

const leaseQuery =
  'select epoch, holder, address, released, ' +
  'greatest(0, extract(epoch from clock_timestamp() - renewed) * 1000)::bigint as ago ' +
  'from evermark.lease';
const lastQuery =
  'select position, epoch, hash, time, engine_hash as "engineHash" from evermark.batch ' +
  'order by position desc limit 1';
const beginsQuery = 'select removed + 1 as begins from evermark.deployment';
const partitionsQuery = 'select first, next from evermark.part order by first';
// Each process names its sessions after itself.
const connectionsQuery =
  "select substr(application_name, 10) as process, coalesce(host(client_addr), 'local') as from, " +
  'count(*)::integer as sessions from pg_stat_activity ' +
  "where datname = current_database() and application_name like 'evermark %' " +
  'and pid <> pg_backend_pid() group by 1, 2 order by 1, 2';

export async function describeCluster(
  { client, name, facts }: Session,
  owner: TablesOwner,
  scheduler: Scheduler,
): Promise<ClusterDescription> {
  const sights = await watchMembers(client, scheduler);
  const { ago, ...lease } = await oneRow(client, leaseQuery);
  const [last] = (await client.query<LastBatch>(lastQuery)).rows;
  return {
    server: name,
    version: facts.version,
    timeline: facts.timeline,
    standbyNames: facts.standbyNames,
    ...owner,
    lease: { ...lease, renewedAgoMs: ago } as ClusterDescription['lease'],
    last,
    beginsWith: (await oneRow(client, beginsQuery)).begins as number,
    partitions: (await client.query<Partition>(partitionsQuery)).rows,
    members: [...sights.values()].map((sight) => ({
      ...sight.row,
      life: lifeOf(sight, stopwatchMs()),
      lag: Math.max(0, (last?.position ?? 0) - sight.row.position),
      waitsFor: waitsFor(
        sights,
        { ...sight.row, logEngine: last?.engineHash ?? '' },
        stopwatchMs(),
      ).map(({ process }) => process),
    })),
    connections: (await client.query<Connections>(connectionsQuery)).rows,
  };
}

async function oneRow(client: pg.Client, query: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(query);
  return rows[0];
}
