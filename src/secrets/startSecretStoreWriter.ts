// Writes the secret store in a thread of its own, so that no sync of its file holds up trading
// (AUTH-4). The store of the calling thread reads what was written.

import type { Worker } from 'node:worker_threads';
import { assert, must } from '../std/assert.ts';
import { startThread } from '../threads.ts';
import type { SealedSecretStoreWriter, SecretStore } from './secretStore.ts';
import type {
  SecretAnswer,
  SecretChange,
  SecretRequest,
  SecretStoreThreadData,
} from './secretStoreThread.ts';

/**
 * How long a change that may come later waits for others. To wake the thread costs the trading
 * thread some 60 µs, however much the message carries.
 */
const laterMs = 1000;

type Waiting = {
  readonly resolve: (ref: string | undefined) => void;
  readonly reject: (error: Error) => void;
};

/**
 * The thread starts with the first write. When it dies, the writes that wait are rejected, and the
 * next write starts another one. From now on `store` itself must only be read.
 */
export function startSecretStoreWriter(
  store: SecretStore,
  data: SecretStoreThreadData,
): SealedSecretStoreWriter {
  const { ask, close } = openThread(data);
  const refOf = async (change: SecretChange): Promise<string> =>
    must(await ask(change), 'a new profile has a ref');
  return {
    close,
    createKeyRecord: async (record) => {
      const { apiKey, secret, label, ipWhitelist } = record;
      const ref = await refOf({ kind: 'createKeyRecord', record });
      store.noteSecret(apiKey, secret);
      store.noteProfile(ref, { label, ipWhitelist });
      return ref;
    },
    putProfile: async (profile) => {
      const ref = await refOf({ kind: 'putProfile', profile });
      store.noteProfile(ref, profile);
      return ref;
    },
    removeKey: async (apiKey, profile) => {
      await ask({ kind: 'removeKey', apiKey, profile });
      store.noteSecret(apiKey, undefined);
      store.noteProfile(profile, undefined);
    },
    removeProfile: async (ref) => {
      await ask({ kind: 'removeProfile', ref }, 'later');
      store.noteProfile(ref, undefined);
    },
    addSealed: async (rows) => {
      await ask({ kind: 'addSealed', rows });
    },
    forgetKey: async (apiKey) => {
      await ask({ kind: 'forgetKey', apiKey });
      store.noteSecret(apiKey, undefined);
    },
    touchLastUsed: async (times) => {
      await ask({ kind: 'touchLastUsed', times });
    },
  };
}

type SecretStoreThread = Pick<SealedSecretStoreWriter, 'close'> & {
  /** Gives the ref of a new profile. A change that may come `later` goes with the next one. */
  readonly ask: (change: SecretChange, when?: 'later') => Promise<string | undefined>;
};

function openThread(data: SecretStoreThreadData): SecretStoreThread {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  let worker: Worker | undefined;
  let leaving: SecretRequest[] = [];
  let [sending, sendingLater]: [NodeJS.Immediate?, NodeJS.Timeout?] = [];
  const start = (): Worker => {
    const started = startThread('secrets', data);
    started.on('message', (answers: readonly SecretAnswer[]) => {
      for (const { id, ref, failure } of answers) {
        const asked = waiting.get(id);
        waiting.delete(id);
        if (failure === undefined) asked?.resolve(ref);
        else asked?.reject(new Error(`the secret store cannot be written: ${failure}`));
      }
    });
    const ended = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      leaving = [];
    };
    started.on('error', (cause) =>
      ended(new Error('the thread of the secret store failed', { cause })),
    );
    started.on('exit', () => ended(new Error('the thread of the secret store stopped')));
    return started;
  };
  const send = (): void => {
    clearImmediate(sending);
    clearTimeout(sendingLater);
    sending = undefined;
    sendingLater = undefined;
    if (leaving.length === 0) return;
    worker ??= start();
    worker.postMessage(leaving);
    leaving = [];
  };
  return {
    ask: (change, when) => {
      assert(!closed, 'the secret store is written before it is closed');
      lastId += 1;
      leaving.push({ id: lastId, change });
      if (when === 'later') sendingLater ??= setTimeout(send, laterMs).unref();
      else sending ??= setImmediate(send);
      return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
    },
    close: async () => {
      closed = true;
      send();
      const last = worker;
      if (last === undefined) return;
      const exited = new Promise((resolve) => last.once('exit', resolve));
      last.postMessage('close');
      await exited;
    },
  };
}
