// Which deployment in PostgreSQL belongs to a data directory, and where its log is: a small file
// that is made when the log is first copied, moved or read there. With it no directory ever writes
// into another deployment's tables, and no log is continued in two places.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { fileDisk } from '../std/disk.ts';
import { writeDurably } from '../std/writeDurably.ts';

/**
 * `files`: in the directory. `postgres`: the directory has a copy of what is there. `arriving`: it
 * is being moved into the directory.
 */
export type LogPlaceName = 'files' | 'postgres' | 'arriving';

export type DeploymentMark = {
  readonly deployment: string;
  readonly log: LogPlaceName;
  /**
   * The name of the last move from or into the directory. The database has it too: another
   * directory can neither finish this move nor repeat it.
   */
  readonly move?: string | undefined;
};

const nameOf = (path: string): string => join(path, 'cluster.json');

/** The deployment's id; undefined when the directory belongs to none. Throws `ConfigError`. */
export function readDeploymentMark(path: string): string | undefined {
  return readMark(path)?.deployment;
}

/** The name of the last move from or into the directory. Throws `ConfigError`. */
export function readMoveName(path: string): string | undefined {
  return readMark(path)?.move;
}

/** Where the log of the directory is. Throws `ConfigError`. */
export function readLogPlace(path: string): LogPlaceName {
  return readMark(path)?.log ?? 'files';
}

/** Throws `ConfigError` unless the log of the directory is in its files. */
export function checkLogInFiles(path: string): void {
  const log = readLogPlace(path);
  if (log === 'files') return;
  throw new ConfigError(
    log === 'postgres'
      ? `The log of the deployment in ${path} is in PostgreSQL: name its servers in ` +
          'EVERMARK_CLUSTER_URL, or bring it back with "evermark move --to DIR".'
      : `A move of a deployment into ${path} has begun and is not finished: type the same ` +
          '"evermark move" again.',
  );
}

const pattern =
  /^\{"deployment":"([0-9a-f-]{36})"(?:,"log":"(files|postgres|arriving)")?(?:,"move":"([0-9a-f-]{36})")?\}$/;

function readMark(path: string): DeploymentMark | undefined {
  const file = nameOf(path);
  if (!fileDisk.exists(file)) return undefined;
  const [, deployment, log = 'files', move] = pattern.exec(readText(file)) ?? [];
  if (deployment === undefined) throw new ConfigError(`${file} names no deployment.`);
  return { deployment, log: log as LogPlaceName, move };
}

const readText = (file: string): string => readFileSync(file, 'utf8').trim();

export function writeDeploymentMark(path: string, { deployment, log, move }: DeploymentMark): void {
  const bytes = Buffer.from(`${JSON.stringify({ deployment, log, move })}\n`);
  writeDurably(fileDisk, nameOf(path), bytes);
  fileDisk.syncDirectory(path);
}

/** The directory belongs to no deployment in PostgreSQL any more. */
export function removeDeploymentMark(path: string): void {
  fileDisk.remove(nameOf(path));
  fileDisk.syncDirectory(path);
}
