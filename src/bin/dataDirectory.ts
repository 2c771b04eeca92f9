// Where everything of a deployment lies under its data directory. One file there names the
// deployment, so that no deployment ever starts on another's data.

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ChainId, ConfigError } from '../config.ts';
import type { SnapshotPlace } from '../replica/snapshotFile.ts';
import { fileDisk, isMissing } from '../std/disk.ts';
import { writeDurably } from '../std/writeDurably.ts';

export type DataDirectory = {
  readonly path: string;
  readonly chainId: number;
  readonly log: string;
  readonly snapshots: SnapshotPlace;
  /** The sources of the engines that ran the log. */
  readonly engines: string;
  /** The published reports of the liquidation keeper. */
  readonly reports: string;
  /** The published trees of what is owed. */
  readonly trees: string;
};

const markName = 'deployment.json';
const format = 1;

const layout = (path: string, chainId: number): DataDirectory => ({
  path,
  chainId,
  log: join(path, 'log'),
  snapshots: { disk: fileDisk, directory: join(path, 'snapshots') },
  engines: join(path, 'engines'),
  reports: join(path, 'reports'),
  trees: join(path, 'trees'),
});

/** The directory of a deployment that has been started before. Throws `ConfigError`. */
export function findDataDirectory(data: string): DataDirectory {
  const path = resolve(data);
  const chainId = readMark(path);
  if (chainId === undefined) {
    throw new ConfigError(`${path} holds no deployment: there is no ${markName} in it.`);
  }
  return layout(path, chainId);
}

/** The directory of this chain's deployment, made at first start. Throws `ConfigError`. */
export function makeDataDirectory(data: string, chain: ChainId): DataDirectory {
  const path = resolve(data);
  const present = readMark(path);
  if (present === undefined) {
    checkNoLog(path);
    makeOwnDirectory(path);
    writeMark(path, chain);
  } else if (present !== chain) {
    throw new ConfigError(
      `${path} belongs to a deployment of chain ${present}, not of ${chain}. ` +
        'Give each deployment a directory of its own with --data.',
    );
  }
  return layout(path, chain);
}

/** Whether a start there would begin a new deployment. */
export function isNewDirectory(data: string): boolean {
  return !fileDisk.exists(join(resolve(data), markName));
}

// Without its mark, a log would count as the log of any chain that the caller names.
function checkNoLog(path: string): void {
  const { log } = layout(path, 0);
  const names = [...fileDisk.list(log), ...fileDisk.list(join(log, 'archive'))];
  if (!names.some((name) => /^\d{16}/.test(name))) return;
  throw new ConfigError(
    `${path} holds a log but no ${markName}, which names its chain. Put the file back; for a ` +
      `deployment of chain 43113 it contains {"format":${format},"chainId":43113}.`,
  );
}

/** Others may not even look into it, because it contains secrets, code, or what accounts did. */
export function makeOwnDirectory(path: string): void {
  if (fileDisk.exists(path)) return;
  fileDisk.makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  fileDisk.syncDirectory(dirname(path));
}

function readMark(path: string): number | undefined {
  const file = join(path, markName);
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8'));
    if (mark.format === format && Number.isSafeInteger(mark.chainId)) return mark.chainId;
  } catch (error) {
    // A directory that this user may not read is not one without a deployment.
    if (isMissing(error)) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ConfigError(`${file} is not a valid deployment file; put the right one back.`);
}

function writeMark(path: string, chainId: number): void {
  const bytes = Buffer.from(`${JSON.stringify({ format, chainId })}\n`);
  writeDurably(fileDisk, join(path, markName), bytes);
  fileDisk.syncDirectory(path);
}
