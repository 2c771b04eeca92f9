// The port to the secrets that several processes share, as sealed rows. Without the master key they
// show only the names of keys and when they were used. This file has no storage.

import type { MasterProof } from './masterProof.ts';
import type { Wrapped } from './rowCryptor.ts';

export type SealedKey = Wrapped & { readonly api_key: string; readonly secret: Buffer };

export type SealedProfile = Wrapped & {
  readonly ref: string;
  readonly label: Buffer;
  readonly ip_whitelist: Buffer;
};

export type SealedRows = {
  readonly keys: readonly SealedKey[];
  readonly profiles: readonly SealedProfile[];
};

export type LastUsed = { readonly api_key: string; readonly at: number };

/** Everything of a secret store; `master` is undefined while there is none. */
export type SealedStore = SealedRows & {
  readonly master: MasterProof | undefined;
  readonly lastUsed: readonly LastUsed[];
};

/** No process has taken the secrets in time. What would have named them was not done. */
export class SecretsNotTaken extends Error {
  override name = 'SecretsNotTaken';
}

/**
 * The writes of a process of the deployment. Each resolves when it is durable, and rejects when it
 * is not known to be. Each may be repeated.
 */
export type SharedSecrets = {
  /** Rows that are there already stay. Rejects with `SecretsNotTaken` when it lasts too long. */
  readonly put: (rows: SealedRows) => Promise<void>;
  readonly remove: (names: {
    readonly apiKeys: readonly string[];
    readonly refs: readonly string[];
  }) => Promise<void>;
  /** A time never moves back. */
  readonly touch: (times: ReadonlyMap<string, number>) => Promise<void>;
};
