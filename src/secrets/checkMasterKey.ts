// Whether a process has the master key with which the secrets of its deployment were sealed.

import { randomBytes } from 'node:crypto';
import { findMasterKey } from './masterKey.ts';
import { type MasterProof, provesMaster } from './masterProof.ts';

export type CheckMasterKey = {
  /** The data directory, where the key may be. */
  readonly directory: string;
  /** The key of the configuration; empty: that of the directory. */
  readonly given: string;
  readonly proof: MasterProof;
};

/** Throws with a sentence for the operator unless it is the one. */
export function checkMasterKey({ directory, given, proof }: CheckMasterKey): void {
  findMasterKey({
    directory,
    given: given === '' ? undefined : given,
    opens: (key) => provesMaster(key, proof),
    randomBytes,
  });
}
