// Writes the vault in a thread of its own, so that no sync of its file holds up trading (AUTH-4).
// The vault of the calling thread reads what was written.

import type { Worker } from 'node:worker_threads';
import { assert, must } from '../std/assert.ts';
import { startThread } from '../threads.ts';
import type { Vault, VaultWriter } from './vault.ts';
import type { VaultAnswer, VaultChange, VaultRequest, VaultThreadData } from './vaultThread.ts';

type Waiting = {
  readonly resolve: (ref: string | undefined) => void;
  readonly reject: (error: Error) => void;
};

/**
 * The thread starts with the first write. When it dies, the writes that wait are rejected, and the
 * next write starts another one. From now on `vault` itself must only be read.
 */
export function startVaultWriter(vault: Vault, data: VaultThreadData): VaultWriter {
  const { ask, close } = openThread(data);
  const refOf = async (change: VaultChange): Promise<string> =>
    must(await ask(change), 'a new profile has a ref');
  return {
    close,
    createKeyRecord: async (record) => {
      const { apiKey, secret, label, ipWhitelist } = record;
      const ref = await refOf({ kind: 'createKeyRecord', record });
      vault.noteSecret(apiKey, secret);
      vault.noteProfile(ref, { label, ipWhitelist });
      return ref;
    },
    putProfile: async (profile) => {
      const ref = await refOf({ kind: 'putProfile', profile });
      vault.noteProfile(ref, profile);
      return ref;
    },
    removeKey: async (apiKey, profile) => {
      await ask({ kind: 'removeKey', apiKey, profile });
      vault.noteSecret(apiKey, undefined);
      vault.noteProfile(profile, undefined);
    },
    removeProfile: async (ref) => {
      await ask({ kind: 'removeProfile', ref });
      vault.noteProfile(ref, undefined);
    },
    touchLastUsed: async (times) => {
      await ask({ kind: 'touchLastUsed', times });
    },
  };
}

type VaultThread = Pick<VaultWriter, 'close'> & {
  /** Gives the ref of a new profile. */
  readonly ask: (change: VaultChange) => Promise<string | undefined>;
};

function openThread(data: VaultThreadData): VaultThread {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = startThread('vault', data);
    started.on('message', (answers: readonly VaultAnswer[]) => {
      for (const { id, ref, failure } of answers) {
        const asked = waiting.get(id);
        waiting.delete(id);
        if (failure === undefined) asked?.resolve(ref);
        else asked?.reject(new Error(`the vault cannot be written: ${failure}`));
      }
    });
    const ended = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', (cause) => ended(new Error("the vault's thread failed", { cause })));
    started.on('exit', () => ended(new Error("the vault's thread stopped")));
    return started;
  };
  return {
    ask: (change) => {
      assert(!closed, 'the vault is written before it is closed');
      worker ??= start();
      const port = worker;
      lastId += 1;
      const request: VaultRequest = { id: lastId, change };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        port.postMessage(request);
      });
    },
    close: async () => {
      closed = true;
      const last = worker;
      if (last === undefined) return;
      const exited = new Promise((resolve) => last.once('exit', resolve));
      last.postMessage('close');
      await exited;
    },
  };
}
