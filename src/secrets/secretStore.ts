// The port of the secret store (AUTH-4), which stores the secrets of the exchange. The log and the
// engine's state contain only the names of API keys and the refs of profiles; the secret store
// contains the values. This file has no storage.

import type { Wrapped } from './rowCryptor.ts';
import type { SealedKey, SealedProfile, SealedRows, SealedStore } from './sharedSecrets.ts';

/** Random bytes that are good enough for secrets. */
export type RandomBytes = (size: number) => Buffer;

/** The properties of an API key that its owner may change and that the engine does not use. */
export type Profile = {
  readonly label: string;
  /** Comma-separated addresses, normalised; empty means unrestricted. */
  readonly ipWhitelist: string;
};

export type KeyRecord = Profile & { readonly apiKey: string; readonly secret: string };

export type SealedCredential = Wrapped & { readonly value: Buffer };

/** What the engine's state names at start. Any other row was left by a crash. */
export type Kept = {
  readonly apiKeys: ReadonlySet<string>;
  readonly refs: ReadonlySet<string>;
};

/**
 * Rows are written durably before the command that names them goes to the log. A profile never
 * changes: an update writes a new one, and the command names its ref. After a crash between the two
 * the old one is still in force, and `sweep` removes the new one. Every call blocks its thread: a
 * write for one sync of the disk (0.5 ms on a local one), a removal for about three. So the thread
 * that trades only reads once it serves clients, and writes by a `SecretStoreWriter`.
 */
export type SecretStore = {
  /** Key and profile in one transaction; gives the profile's ref. The key must be new. */
  readonly createKeyRecord: (record: KeyRecord) => string;
  readonly putKey: (key: { readonly apiKey: string; readonly secret: string }) => void;
  /** Gives the ref: 32 hex digits, random. */
  readonly putProfile: (profile: Profile) => string;
  /** The secret of the API key, or undefined when the secret store has none. */
  readonly secretOf: (apiKey: string) => string | undefined;
  readonly profileOf: (ref: string) => Profile | undefined;
  /** Destroys the key's secret and overwrites its wrapped data key on the disk. */
  readonly removeKey: (apiKey: string) => void;
  readonly removeProfile: (ref: string) => void;
  /**
   * Removes every row that `kept` does not name; gives the number of each kind. While another
   * program reads the file, the next start overwrites them.
   */
  readonly sweep: (kept: Kept) => { readonly keys: number; readonly profiles: number };
  /**
   * The number of these API keys that cannot be used, because their secret or their profile is
   * missing.
   */
  readonly countLost: (
    apiKeys: Iterable<{ readonly apiKey: string; readonly profile: string }>,
  ) => number;
  /**
   * Wraps every data key with another master key: 64 hex digits. All or nothing. Cost: 0.1 ms a row
   * on the caller's thread, so it must run before trading starts.
   */
  readonly rotate: (masterKey: string) => void;
  /** Remembers when keys were last used, ms since the epoch (AUTH-8). A time never moves back. */
  readonly touchLastUsed: (times: ReadonlyMap<string, number>) => void;
  readonly lastUsedOf: (apiKey: string) => number | undefined;
  /**
   * Writes and removals of `work` become one transaction with one sync. Gives its result when all
   * of it is durable. If it throws, nothing of it was written. `overwrite` must follow.
   */
  readonly together: <T>(work: () => T) => T;
  /**
   * Overwrites on the disk everything that was removed in `together`. It throws while the disk
   * fails or another program reads the file; the next call tries again.
   */
  readonly overwrite: () => void;
  /** Another thread has put this secret, or removed it: what is kept in memory follows. */
  readonly noteSecret: (apiKey: string, secret: string | undefined) => void;
  /** The same of a profile. */
  readonly noteProfile: (ref: string, profile: Profile | undefined) => void;
  readonly close: () => void;
};

/** A secret store whose rows can leave it, sealed as they are. */
export type SealedSecretStore = SecretStore & {
  /** The rows as they are on the disk; undefined when there is no such row. */
  readonly sealedKey: (apiKey: string) => SealedKey | undefined;
  readonly sealedProfile: (ref: string) => SealedProfile | undefined;
  readonly sealed: () => SealedStore;
  /** Makes the rows equal to these, which the same master key has sealed; older times stay out. */
  readonly adopt: (rows: SealedStore) => void;
  /** Those of these API keys whose secret or profile is missing. */
  readonly lost: <Key extends { readonly apiKey: string; readonly profile: string }>(
    apiKeys: Iterable<Key>,
  ) => Key[];
  /** Adds these rows, which the same master key has sealed. */
  readonly addSealed: (rows: SealedRows) => void;
  /** Seals a secret of the exchange itself, which this store does not hold. */
  readonly sealCredential: (name: string, value: string) => SealedCredential;
  readonly openCredential: (name: string, sealed: SealedCredential) => string;
};

/** The writes of a running exchange. Each resolves when it is durable; it rejects if it failed. */
export type SecretStoreWriter = {
  readonly createKeyRecord: (record: KeyRecord) => Promise<string>;
  readonly putProfile: (profile: Profile) => Promise<string>;
  /** The key's secret and its profile. */
  readonly removeKey: (apiKey: string, profile: string) => Promise<void>;
  readonly removeProfile: (ref: string) => Promise<void>;
  readonly touchLastUsed: (times: ReadonlyMap<string, number>) => Promise<void>;
  /** Ends after everything that was asked. */
  readonly close: () => Promise<void>;
};

/** The writer of a store that has a copy of what several processes share. */
export type SealedSecretStoreWriter = SecretStoreWriter & {
  /** Adds rows that another process has written. */
  readonly addSealed: (rows: SealedRows) => Promise<void>;
  /** Destroys the secret of a key that another process has removed. */
  readonly forgetKey: (apiKey: string) => Promise<void>;
};
