// Corrects modes in a data directory that an earlier release, a copy or a person has left too open.
// Balances, orders and keys are only for the user who runs the exchange.

import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ofOthers = 0o077;

export type Mended = {
  /** The number of files and directories that others could read, and now cannot. */
  readonly mended: number;
  /** Files of another user; they stay as they are. */
  readonly foreign: readonly string[];
};

/** Removes all rights of other users, everywhere under `directory`. It does not follow links. */
export function mendModes(directory: string): Mended {
  let mended = 0;
  const foreign: string[] = [];
  const mend = (path: string): void => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isSymbolicLink()) return;
    if ((entry.mode & ofOthers) !== 0) {
      try {
        chmodSync(path, entry.mode & 0o777 & ~ofOthers);
        mended += 1;
      } catch {
        foreign.push(path);
      }
    }
    if (entry.isDirectory()) for (const name of readdirSync(path)) mend(join(path, name));
  };
  // Windows has no modes.
  if (process.platform !== 'win32') mend(directory);
  return { mended, foreign };
}
