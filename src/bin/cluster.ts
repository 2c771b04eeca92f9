// `evermark cluster` and its verbs: the log in PostgreSQL and its processes are shown, its tables
// are made, the log of a data directory is copied there, the lease goes to another process, old
// batches go into an archive (archiveCluster.ts), or a copy outlives the database.

import { randomUUID } from 'node:crypto';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { askHandover } from '../log/postgres/askHandover.ts';
import { createServers, type Servers } from '../log/postgres/createServers.ts';
import { type ClusterDescription, describeCluster } from '../log/postgres/describeCluster.ts';
import { divideLog } from '../log/postgres/divideLog.ts';
import { endClient, type Session } from '../log/postgres/openSession.ts';
import { checkTables, type ExpectedOwner, makeTables } from '../log/postgres/tables.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { type ArchiveVerb, archiveCluster } from './archiveCluster.ts';
import { copyLog } from './copyLog.ts';
import { type DataDirectory, findDataDirectory, isNewDirectory } from './dataDirectory.ts';
import { readDeploymentMark } from './deploymentMark.ts';
import type { VerbIo } from './operatorVerb.ts';
import { printJson } from './printJson.ts';
import { rescueCopy } from './rescueCopy.ts';
import { splitArguments } from './splitArguments.ts';
import { usageLine } from './usages.ts';

const usage = usageLine('cluster');
const variable = 'EVERMARK_CLUSTER_URL';
const replicated = '--replicated-storage';

type Asked = {
  readonly urls: string;
  readonly replicatedStorage: boolean;
  readonly chain: number;
  /** undefined: nothing has been started there yet. */
  readonly directory: DataDirectory | undefined;
};

const archiveVerbs: readonly string[] = ['archive', 'check', 'remove', 'fetch'];
const takesWord = new Set(['handover', 'rescue', ...archiveVerbs]);

/** Gives the exit code. */
export async function runCluster(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  const [verb = 'show', ...rest] = words;
  if (rest.length > (takesWord.has(verb) ? 1 : 0)) throw new ConfigError(usage);
  const config = loadConfig(
    flags.filter((flag) => flag !== replicated),
    io.environment,
  );
  const urls = io.environment[variable] ?? '';
  if (urls === '') throw new ConfigError(`${variable} names the database. ${usage}`);
  const directory = isNewDirectory(config.data) ? undefined : findDataDirectory(config.data);
  const chain = directory?.chainId ?? config.chain;
  const asked = { urls, replicatedStorage: flags.includes(replicated), chain, directory };
  if (verb === 'show') return show(io, asked);
  if (verb === 'make') return make(io, asked);
  if (verb === 'copy') return copy(io, asked);
  if (verb === 'handover') return handOver(io, asked, rest[0]);
  if (archiveVerbs.includes(verb)) {
    return archive(io, asked, { verb: verb as ArchiveVerb, named: rest[0], data: config.data });
  }
  if (verb === 'rescue') return rescue(io, asked, { last: rest[0], config });
  throw new ConfigError(usage);
}

async function show(io: VerbIo, asked: Asked): Promise<number> {
  await withSession(asked, async (session) => {
    const owner = await checkTables(session.client, ownerOf(asked));
    printJson(io, readable(await describeCluster(session, owner, systemScheduler)));
  });
  return 0;
}

async function handOver(io: VerbIo, asked: Asked, named: string | undefined): Promise<number> {
  await withSession(asked, async ({ client }) => {
    await checkTables(client, ownerOf(asked));
    const heir = await askHandover(client, { named, scheduler: systemScheduler });
    io.print(`${heir} holds the lease`);
  });
  return 0;
}

const ownerOf = ({ chain, directory }: Asked): ExpectedOwner => ({
  deployment: directory && readDeploymentMark(directory.path),
  chain,
});

function readable(description: ClusterDescription): unknown {
  const { lease, last } = description;
  return {
    server: description.server,
    version: description.version,
    timeline: description.timeline,
    synchronous_standby_names: description.standbyNames,
    deployment: description.deployment,
    chain: description.chain,
    lease: {
      epoch: lease.epoch,
      holder: lease.holder,
      address: lease.address,
      released: lease.released,
      renewed_ago_ms: lease.renewedAgoMs,
    },
    last_batch: last && {
      position: last.position,
      epoch: last.epoch,
      hash: last.hash.toString('hex'),
      time: new Date(last.time).toISOString(),
      engine_hash: last.engineHash,
    },
    begins_with: description.beginsWith,
    partitions: description.partitions,
    members: description.members.map(({ engineHash, waitsFor, ...member }) => ({
      ...member,
      engine_hash: engineHash,
      waits_for: waitsFor,
    })),
    connections: description.connections,
  };
}

async function make(io: VerbIo, asked: Asked): Promise<number> {
  await withSession(asked, async ({ client, name }) => {
    const { deployment, chain } = await makeTables(client, asked.chain);
    io.print(`the tables of deployment ${deployment}, chain ${chain}, are at ${name}`);
    const division = await divideLog(client, systemScheduler);
    if (division.kind === 'divided') {
      io.print(`the log has partitions of ${division.positions} batches`);
      return;
    }
    io.print(
      'the log stays in one table while processes of an earlier release live, which know no ' +
        `partitions (${division.processes.join(', ')}): type it again when they are gone`,
    );
  });
  return 0;
}

async function copy(io: VerbIo, { urls, replicatedStorage, directory }: Asked): Promise<number> {
  if (directory === undefined) throw new ConfigError('There is no log to copy in --data.');
  const report = (message: string): void => io.complain(message);
  const { position, hash } = await copyLog({ urls, replicatedStorage, directory, report });
  io.print(`the log up to batch ${position} is in PostgreSQL and was read back: ${hash}`);
  return 0;
}

async function archive(
  io: VerbIo,
  asked: Asked,
  { verb, named, data }: { verb: ArchiveVerb; named: string | undefined; data: string },
): Promise<number> {
  if (named === undefined)
    throw new ConfigError(`${verb} takes the directory of an archive. ${usage}`);
  const given = { verb, directory: named, expected: ownerOf(asked), data };
  await withSession(asked, (session) => archiveCluster(io, session, given));
  return 0;
}

async function rescue(
  io: VerbIo,
  { directory, ...asked }: Asked,
  { last, config }: { readonly last: string | undefined; readonly config: Config },
): Promise<number> {
  if (directory === undefined) throw new ConfigError('There is no copy of a log in --data.');
  if (last !== undefined && !/^[1-9]\d{0,14}$/.test(last)) throw new ConfigError(usage);
  const { position, hash } = await rescueCopy({
    ...{ ...asked, directory, last: last === undefined ? undefined : Number(last) },
    segmentSize: config.segmentSize * 1024 * 1024,
    report: (message) => io.complain(message),
  });
  io.print(`the deployment is in ${directory.path} now, up to batch ${position}: ${hash}`);
  io.print('start it without EVERMARK_CLUSTER_URL, or move it into a new database');
  return 0;
}

async function withSession(
  { urls, replicatedStorage }: Asked,
  step: (session: Session) => Promise<void>,
): Promise<void> {
  const servers: Servers = createServers({
    urls,
    applicationName: `evermark ${randomUUID()}`,
    replicatedStorage,
    scheduler: systemScheduler,
  });
  const session = await servers.connect();
  try {
    await step(session);
  } finally {
    endClient(session.client);
  }
}
