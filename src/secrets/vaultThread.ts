// The thread that writes the vault of a running exchange. What has arrived while it wrote becomes
// one transaction, so many requests share one sync of the disk.

import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../std/assert.ts';
import { openVault } from './openVault.ts';
import type { KeyRecord, Profile, Vault } from './vault.ts';

export type VaultThreadData = {
  readonly directory: string;
  readonly masterKey: string | undefined;
};

export type VaultChange =
  | { readonly kind: 'createKeyRecord'; readonly record: KeyRecord }
  | { readonly kind: 'putProfile'; readonly profile: Profile }
  | { readonly kind: 'removeKey'; readonly apiKey: string; readonly profile: string }
  | { readonly kind: 'removeProfile'; readonly ref: string }
  | { readonly kind: 'touchLastUsed'; readonly times: ReadonlyMap<string, number> };

export type VaultRequest = { readonly id: number; readonly change: VaultChange };

/** In the order of the requests; `ref` is that of a new profile. */
export type VaultAnswer = {
  readonly id: number;
  readonly ref: string | undefined;
  readonly failure: string | undefined;
};

// This file is the thread's program: it is started, never imported for its values.
const port = must(parentPort, 'the vault is written by a thread');
const { directory, masterKey } = workerData as VaultThreadData;
const vault = openVault({ directory, masterKey, randomBytes });
let waiting: VaultRequest[] = [];

port.on('message', (requests: readonly VaultRequest[] | 'close') => {
  if (requests === 'close') {
    if (waiting.length > 0) writeAll();
    vault.close();
    port.close();
    return;
  }
  // Messages that have arrived together are handled before this runs.
  if (waiting.length === 0) setImmediate(writeAll);
  waiting.push(...requests);
});

function writeAll(): void {
  const requests = waiting;
  waiting = [];
  if (requests.length === 0) return;
  let answers: readonly VaultAnswer[];
  try {
    answers = vault.together(() => requests.map(writeOne));
  } catch (error) {
    // Nothing of it was written.
    answers = requests.map(({ id }) => ({ id, ref: undefined, failure: textOf(error) }));
  }
  port.postMessage(answers);
}

/** A failure takes back this change alone. */
function writeOne({ id, change }: VaultRequest): VaultAnswer {
  try {
    return { id, ref: write(vault, change), failure: undefined };
  } catch (error) {
    return { id, ref: undefined, failure: textOf(error) };
  }
}

const textOf = (error: unknown): string => (error as Error).message;

function write(to: Vault, change: VaultChange): string | undefined {
  switch (change.kind) {
    case 'createKeyRecord':
      return to.createKeyRecord(change.record);
    case 'putProfile':
      return to.putProfile(change.profile);
    case 'removeKey':
      to.removeKey(change.apiKey);
      to.removeProfile(change.profile);
      return undefined;
    case 'removeProfile':
      to.removeProfile(change.ref);
      return undefined;
    case 'touchLastUsed':
      to.touchLastUsed(change.times);
      return undefined;
  }
}
