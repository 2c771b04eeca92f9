// Two servers of one PostgreSQL: a primary whose commits wait for its synchronous standby. When the
// primary has died, the standby takes its place and gets a standby of its own, where the dead one
// was.

import { endClient, openSession } from '../src/log/postgres/openSession.ts';
import { makeTables } from '../src/log/postgres/tables.ts';
import {
  type PostgresServer,
  type PostgresTemplate,
  startPostgresServer,
} from '../test/fixtures/postgresServer.ts';

export type DatabasePair = {
  readonly primary: () => PostgresServer;
  /** undefined between a promotion and `addStandby`. */
  readonly standby: () => PostgresServer | undefined;
  /** The ports of the two places in the list of every process. */
  readonly portAt: (place: 0 | 1) => number;
  /** The address of the deployment's database on the primary, without a link between. */
  readonly url: () => string;
  readonly urlAt: (port: number) => string;
  /** The standby becomes the primary; the dead one keeps its place until `addStandby`. */
  readonly promote: () => Promise<void>;
  /** Starts the former primary beside the present one, as a manager without a fence would. */
  readonly wakeFormer: () => Promise<void>;
  readonly addStandby: () => Promise<void>;
  /** Ends both and removes their files. */
  readonly remove: () => Promise<void>;
};

/**
 * With the tables of a deployment of that chain, whose log has partitions of so many batches. A
 * template spares it to make the first files.
 */
export async function openDatabasePair(
  chain: number,
  template?: PostgresTemplate,
  partitionPositions?: number,
): Promise<DatabasePair> {
  const first = await startPostgresServer({ durable: true, ...(template && { template }) });
  const places: [PostgresServer, PostgresServer] = [first, first];
  const remove = async (): Promise<void> => {
    // The first server's directory has those of the others.
    for (const server of new Set(places)) if (server !== first) await server.remove();
    await first.remove();
  };
  try {
    const address = await first.createDatabase();
    const database = new URL(address).pathname.slice(1);
    places[1] = await first.startStandby();
    const session = await openSession({
      url: address,
      applicationName: 'evermark campaign',
      replicatedStorage: false,
    });
    await makeTables(session.client, chain, partitionPositions);
    endClient(session.client);
    return pairOf(places, { first, database, remove });
  } catch (error) {
    await remove();
    throw error;
  }
}

type Opened = {
  readonly first: PostgresServer;
  readonly database: string;
  readonly remove: () => Promise<void>;
};

function pairOf(
  places: [PostgresServer, PostgresServer],
  { first, database, remove }: Opened,
): DatabasePair {
  let primary: 0 | 1 = 0;
  let hasStandby = true;
  const other = (): 0 | 1 => (primary === 0 ? 1 : 0);
  const portAt = (place: 0 | 1): number => Number(new URL(places[place].addressOf('')).port);
  return {
    primary: () => places[primary],
    standby: () => (hasStandby ? places[other()] : undefined),
    portAt,
    url: () => places[primary].addressOf(database),
    urlAt: (port) => {
      const url = new URL(places[primary].addressOf(database));
      url.port = String(port);
      return url.toString();
    },
    promote: async () => {
      await places[other()].promote();
      primary = other();
      hasStandby = false;
    },
    wakeFormer: () => places[other()].start(),
    addStandby: async () => {
      const former = places[other()];
      if (former === first) await former.kill();
      else await former.remove();
      places[other()] = await places[primary].startStandby();
      hasStandby = true;
    },
    remove,
  };
}
