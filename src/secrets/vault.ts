// The port of the vault (AUTH-4): what the exchange keeps secret at rest. The log and the engine's
// state name API keys and profile refs only; the values lie here. No storage here.

/** Random bytes fit for secrets. */
export type RandomBytes = (size: number) => Buffer;

/** What the account's owner may change of an API key without the engine's caring. */
export type Profile = {
  readonly label: string;
  /** Comma-separated addresses, normalised; empty means unrestricted. */
  readonly ipWhitelist: string;
};

export type KeyRecord = Profile & { readonly apiKey: string; readonly secret: string };

/** What the engine's state names at start; everything else is left from a crash. */
export type Kept = {
  readonly apiKeys: ReadonlySet<string>;
  readonly refs: ReadonlySet<string>;
};

/**
 * Rows are written, durably, before the command that names them goes to the log. A profile is
 * never changed: an update puts a new one and the command names its ref, so that after a crash in
 * between the old one is still in force and `sweep` removes the new. Every call blocks its thread:
 * a write for a sync of the disk (0.5 ms on a local one), a removal for about three.
 */
export type Vault = {
  /** Key and profile in one transaction; gives the profile's ref. The key must be new. */
  readonly createKeyRecord: (record: KeyRecord) => string;
  readonly putKey: (key: { readonly apiKey: string; readonly secret: string }) => void;
  /** Gives the ref: 32 hex digits, random. */
  readonly putProfile: (profile: Profile) => string;
  /** The secret of the API key, or undefined when the vault has none. */
  readonly secretOf: (apiKey: string) => string | undefined;
  readonly profileOf: (ref: string) => Profile | undefined;
  /** Destroys the key's secret; its wrapped data key is overwritten on the disk. */
  readonly removeKey: (apiKey: string) => void;
  readonly removeProfile: (ref: string) => void;
  /** Removes every row that `kept` does not name; gives how many of each kind. */
  readonly sweep: (kept: Kept) => { readonly keys: number; readonly profiles: number };
  /** How many of these API keys cannot be used, because their secret or their profile is gone. */
  readonly countLost: (
    apiKeys: Iterable<{ readonly apiKey: string; readonly profile: string }>,
  ) => number;
  /**
   * Wraps every data key anew under another master key: 64 hex digits. All or nothing. Cost: 0.1 ms
   * a row on the caller's thread, so it belongs before trading starts.
   */
  readonly rotate: (masterKey: string) => void;
  /** Remembers when keys were last used, ms since the epoch (AUTH-8). Never moves one back. */
  readonly touchLastUsed: (times: ReadonlyMap<string, number>) => void;
  readonly lastUsedOf: (apiKey: string) => number | undefined;
  readonly close: () => void;
};
