// Modes of a data directory that an earlier release, a copy or a hand has left too open: balances,
// orders and keys are for the user alone who runs the exchange.

import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ofOthers = 0o077;

export type Mended = {
  /** How many files and directories others could look into, and now cannot. */
  readonly mended: number;
  /** Those that belong to somebody else, and stay as they are. */
  readonly foreign: readonly string[];
};

/** Takes all rights of others away, everywhere under `directory`. Links are not followed. */
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
