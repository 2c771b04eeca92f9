// Which deployment in PostgreSQL belongs to a data directory: a small file that is made when the
// log is first copied there. With it no directory ever writes into another deployment's tables.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { fileDisk } from '../std/disk.ts';

const nameOf = (path: string): string => join(path, 'cluster.json');

/** The deployment's id; undefined when the directory belongs to none. Throws `ConfigError`. */
export function readDeploymentMark(path: string): string | undefined {
  const file = nameOf(path);
  if (!fileDisk.exists(file)) return undefined;
  const [, deployment] = /^\{"deployment":"([0-9a-f-]{36})"\}$/.exec(readText(file)) ?? [];
  if (deployment === undefined) throw new ConfigError(`${file} names no deployment.`);
  return deployment;
}

const readText = (file: string): string => readFileSync(file, 'utf8').trim();

export function writeDeploymentMark(path: string, deployment: string): void {
  const target = nameOf(path);
  const file = fileDisk.openFile(`${target}.new`, 'create');
  fileDisk.writeAt(file, Buffer.from(`${JSON.stringify({ deployment })}\n`), 0);
  fileDisk.syncData(file);
  fileDisk.closeFile(file);
  fileDisk.rename(`${target}.new`, target);
  fileDisk.syncDirectory(path);
}
