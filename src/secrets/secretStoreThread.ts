// The thread that writes the secret store of a running exchange. What has arrived while it wrote
// becomes one transaction, so many requests share one sync of the disk.

import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../std/assert.ts';
import { openSecretStore } from './openSecretStore.ts';
import type { KeyRecord, Profile, SealedSecretStore } from './secretStore.ts';
import type { SealedRows } from './sharedSecrets.ts';

export type SecretStoreThreadData = {
  readonly directory: string;
  readonly masterKey: string | undefined;
};

export type SecretChange =
  | { readonly kind: 'createKeyRecord'; readonly record: KeyRecord }
  | { readonly kind: 'putProfile'; readonly profile: Profile }
  | { readonly kind: 'removeKey'; readonly apiKey: string; readonly profile: string }
  | { readonly kind: 'removeProfile'; readonly ref: string }
  | { readonly kind: 'addSealed'; readonly rows: SealedRows }
  | { readonly kind: 'forgetKey'; readonly apiKey: string }
  | { readonly kind: 'touchLastUsed'; readonly times: ReadonlyMap<string, number> };

export type SecretRequest = { readonly id: number; readonly change: SecretChange };

/** In the order of the requests; `ref` is that of a new profile. */
export type SecretAnswer = {
  readonly id: number;
  readonly ref: string | undefined;
  readonly failure: string | undefined;
};

// This file is the thread's program: it is started, never imported for its values.
const port = must(parentPort, 'the secret store is written by a thread');
const { directory, masterKey } = workerData as SecretStoreThreadData;
const store = openSecretStore({ directory, masterKey, randomBytes });
let waiting: SecretRequest[] = [];

port.on('message', (requests: readonly SecretRequest[] | 'close') => {
  if (requests === 'close') {
    if (waiting.length > 0) writeAll();
    store.close();
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
  let answers: readonly SecretAnswer[];
  try {
    answers = overwritten(
      requests,
      store.together(() => requests.map(writeOne)),
    );
  } catch (error) {
    // Nothing of it was written.
    answers = requests.map(({ id }) => ({ id, ref: undefined, failure: textOf(error) }));
  }
  port.postMessage(answers);
}

/** What was written stands. A removal has failed as long as its bytes are on the disk. */
function overwritten(
  requests: readonly SecretRequest[],
  answers: readonly SecretAnswer[],
): readonly SecretAnswer[] {
  try {
    store.overwrite();
    return answers;
  } catch (error) {
    return answers.map((answer, at) =>
      isRemoval(requests[at]!.change) ? { ...answer, failure: textOf(error) } : answer,
    );
  }
}

const isRemoval = ({ kind }: SecretChange): boolean =>
  kind === 'removeKey' || kind === 'removeProfile' || kind === 'forgetKey';

/** A failure takes back this change alone. */
function writeOne({ id, change }: SecretRequest): SecretAnswer {
  try {
    return { id, ref: write(store, change), failure: undefined };
  } catch (error) {
    return { id, ref: undefined, failure: textOf(error) };
  }
}

const textOf = (error: unknown): string => (error as Error).message;

function write(to: SealedSecretStore, change: SecretChange): string | undefined {
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
    case 'addSealed':
      to.addSealed(change.rows);
      return undefined;
    case 'forgetKey':
      to.removeKey(change.apiKey);
      return undefined;
    case 'touchLastUsed':
      to.touchLastUsed(change.times);
      return undefined;
  }
}
