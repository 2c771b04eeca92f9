// The log on files for its readers. It changes nothing and takes no lock.

import { type Disk, fileDisk } from '../../std/disk.ts';
import type { LogReader } from '../log.ts';
import { followLog } from './followLog.ts';
import { readBatches } from './readBatches.ts';
import { readLogHead } from './readLogHead.ts';

/** Opens nothing yet; `directory` is the log's own and need not exist. */
export function openLogReader(directory: string, disk: Disk = fileDisk): LogReader {
  return {
    name: directory,
    head: () => readLogHead(directory, disk),
    read: (from, to) => readBatches(directory, from, to, disk),
    follow: (after) => followLog({ disk, directory, after }),
  };
}
