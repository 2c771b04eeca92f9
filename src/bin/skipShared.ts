// A skip record for a log in PostgreSQL, where every process of the deployment reads it.

import { type Config, ConfigError } from '../config.ts';
import type { LogPlace } from '../log/log.ts';
import { catchUp, checkContains, type KeptSession, placeOf } from '../log/postgres/catchUp.ts';
import { openLocalSegments } from '../log/postgres/openLocalSegments.ts';
import { putSkips } from '../log/postgres/sharedStatement.ts';
import { checkLogHere, checkTables } from '../log/postgres/tables.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { readDeploymentMark } from './deploymentMark.ts';
import { holdForMove } from './holdForMove.ts';
import { fetchEngines } from './shareEngines.ts';

export type SkipShared = {
  readonly config: Config;
  /** Locked. */
  readonly directory: DataDirectory;
  /** Throws when the command may not be skipped; the local copy is at the log's end then. */
  readonly check: () => void;
  readonly at: SkipRecord;
  readonly report: (message: string) => void;
};

const megabyte = 1024 * 1024;

/** Throws `ConfigError`, `DatabaseRefused` and `LeaseHeld`. */
export async function skipShared(options: SkipShared): Promise<void> {
  const { config, directory, check, at, report } = options;
  if (config.cluster === '') {
    throw new ConfigError(
      'The log of this deployment is in PostgreSQL: name its servers in EVERMARK_CLUSTER_URL.',
    );
  }
  const { path, chainId: chain, log: segmentsAt, engines } = directory;
  const segmentBytes = config.segmentSize * megabyte;
  const segments = openLocalSegments({ directory: segmentsAt, segmentBytes, report });
  const begin = (reading: KeptSession) =>
    reading.use(async (session) => {
      const owner = await checkTables(session.client, {
        deployment: readDeploymentMark(path),
        chain,
      });
      await checkLogHere(session.client);
      await checkContains(session, segments.head());
      return owner;
    });
  const known = (): LogPlace => placeOf(segments.head());
  await holdForMove({ config, report, begin, known }, async ({ log, reading, shared }) => {
    await reading.use((session) => catchUp(session, segments, log.head().position));
    segments.close();
    await fetchEngines(reading, engines);
    check();
    await shared.write((as) => putSkips(as, [at]));
  });
}
