// What the operator sees of a log in PostgreSQL: the server, the lease, the last batch, and the
// processes that are connected. It only reads.

import type pg from 'pg';
import type { Session } from './openSession.ts';
import type { TablesOwner } from './tables.ts';

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
  readonly members: readonly Member[];
};

export type LastBatch = {
  readonly position: number;
  readonly epoch: number;
  readonly hash: Buffer;
  readonly time: number;
};

/** A process, by its sessions. */
export type Member = {
  readonly process: string;
  readonly from: string;
  readonly sessions: number;
};

const leaseQuery =
  'select epoch, holder, address, released, ' +
  'greatest(0, extract(epoch from clock_timestamp() - renewed) * 1000)::bigint as ago ' +
  'from evermark.lease';
const lastQuery =
  'select position, epoch, hash, time from evermark.batch order by position desc limit 1';
// Each process names its sessions after itself.
const membersQuery =
  "select substr(application_name, 10) as process, coalesce(host(client_addr), 'local') as from, " +
  'count(*)::integer as sessions from pg_stat_activity ' +
  "where datname = current_database() and application_name like 'evermark %' " +
  'and pid <> pg_backend_pid() group by 1, 2 order by 1, 2';

export async function describeCluster(
  { client, name, facts }: Session,
  owner: TablesOwner,
): Promise<ClusterDescription> {
  const { ago, ...lease } = await oneRow(client, leaseQuery);
  return {
    server: name,
    version: facts.version,
    timeline: facts.timeline,
    standbyNames: facts.standbyNames,
    ...owner,
    lease: { ...lease, renewedAgoMs: ago } as ClusterDescription['lease'],
    last: (await client.query<LastBatch>(lastQuery)).rows[0],
    members: (await client.query<Member>(membersQuery)).rows,
  };
}

async function oneRow(client: pg.Client, query: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(query);
  return rows[0];
}
