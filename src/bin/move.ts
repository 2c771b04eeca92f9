// `evermark move --to …`: a deployment on files becomes one in PostgreSQL, or returns. Its hashes
// stay the same. At every moment at most one of the two places can be started: a crash in between
// leaves none that can, until the same command has finished.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { splitPostgresUrls } from '../std/postgresUrls.ts';
import { moveToFiles } from './moveToFiles.ts';
import { moveToPostgres } from './moveToPostgres.ts';
import type { VerbIo } from './operatorVerb.ts';
import { usageLine } from './usages.ts';

const usage = usageLine('move');

/** Gives the exit code. */
export async function runMove(args: readonly string[], io: VerbIo): Promise<number> {
  const at = args.indexOf('--to');
  const to = at < 0 ? undefined : args[at + 1];
  if (to === undefined || to.startsWith('--')) throw new ConfigError(usage);
  const others = [...args.slice(0, at), ...args.slice(at + 2)];
  if (others.some((word) => !word.startsWith('--')) && others.length === 1) {
    throw new ConfigError(usage);
  }
  // A URL in the place of the setting is checked like the setting.
  const isUrl = /^postgres(ql)?:/.test(to);
  const config = loadConfig(isUrl ? [...others, '--cluster', to] : others, io.environment);
  if (splitPostgresUrls(config.cluster) === undefined) {
    throw new ConfigError(`EVERMARK_CLUSTER_URL names the servers. ${usage}`);
  }
  const report = (message: string): void => io.complain(message);
  if (isUrl || to === 'cluster') return intoPostgres(config, io, report);
  const moved = await moveToFiles({ config, target: resolve(to), report });
  if (moved === undefined) return nothingLeft(io);
  io.print(`the deployment is in ${resolve(to)} now, up to batch ${moved.position}: ${moved.hash}`);
  io.print(`start it with --data ${to} and without EVERMARK_CLUSTER_URL`);
  return 0;
}

async function intoPostgres(
  config: Config,
  io: VerbIo,
  report: (message: string) => void,
): Promise<number> {
  if (!existsSync(resolve(config.data))) {
    throw new ConfigError(`There is no deployment in ${resolve(config.data)}.`);
  }
  const moved = await moveToPostgres({ config, report });
  if (moved === undefined) return nothingLeft(io);
  io.print(`the deployment is in PostgreSQL now, up to batch ${moved.position}: ${moved.hash}`);
  io.print('start it with EVERMARK_CLUSTER_URL; each of its processes needs the master key');
  return 0;
}

function nothingLeft(io: VerbIo): number {
  io.print('the deployment was moved before; there is nothing left to do');
  return 0;
}
