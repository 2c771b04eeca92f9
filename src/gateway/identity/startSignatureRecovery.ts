// Recovers the signers of login messages in a thread of its own, behind a bounded queue, so that
// logins never hold up trading (AUTH-5; 1.3 ms each).

import type { Worker } from 'node:worker_threads';
import { assert } from '../../std/assert.ts';
import { startThread } from '../../threads.ts';
import type { LoginMessage } from './loginMessage.ts';
import type { RecoveryAnswer, RecoveryRequest } from './signatureThread.ts';

/** Recoveries waiting or under way; at 1.3 ms each the last one waits a third of a second. */
export const recoveriesMax = 256;

export type Recovery =
  | { readonly kind: 'recovered'; readonly address: string }
  /** No key can have made this signature. */
  | { readonly kind: 'unrecoverable' }
  /** The queue is full: the signature was not checked. */
  | { readonly kind: 'overloaded' };

export type SignatureRecovery = {
  /** Rejects only when the thread dies; the next call then starts another. */
  readonly recover: (message: LoginMessage, signature: string) => Promise<Recovery>;
  /** Stops the thread; what still waits is rejected. */
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly resolve: (recovery: Recovery) => void;
  readonly reject: (error: Error) => void;
};

export function startSignatureRecovery(waitingMax = recoveriesMax): SignatureRecovery {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  let worker: Worker | undefined;

  const failWaiting = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = startThread('signatures', undefined);
    started.on('message', ({ id, signer }: RecoveryAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      asked?.resolve(
        signer === undefined ? { kind: 'unrecoverable' } : { kind: 'recovered', address: signer },
      );
    });
    const ended = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      failWaiting(error);
    };
    started.on('error', (cause) => ended(new Error('signature recovery failed', { cause })));
    started.on('exit', () => ended(new Error('signature recovery stopped')));
    return started;
  };

  worker = start();
  return {
    recover: (message, signature) => {
      assert(!closed, 'signature recovery is asked before it is closed');
      if (waiting.size >= waitingMax) return Promise.resolve({ kind: 'overloaded' });
      worker ??= start();
      const port = worker;
      lastId += 1;
      const request: RecoveryRequest = { id: lastId, message, signature };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        port.postMessage(request);
      });
    },
    close: async () => {
      closed = true;
      await worker?.terminate();
    },
  };
}
