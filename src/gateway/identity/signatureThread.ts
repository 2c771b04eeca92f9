// The thread that recovers signers. It answers one request after the other; the queue
// and its bound are the caller's.

import { parentPort } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import type { LoginMessage } from './loginMessage.ts';
import { recoverLoginSigner } from './recoverLoginSigner.ts';

export type RecoveryRequest = {
  readonly id: number;
  readonly message: LoginMessage;
  readonly signature: string;
};

export type RecoveryAnswer = { readonly id: number; readonly signer: string | undefined };

// This file is the thread's program: it is started, never imported for its values.
const port = must(parentPort, 'signers are recovered by a thread');
port.on('message', async ({ id, message, signature }: RecoveryRequest) => {
  const answer: RecoveryAnswer = { id, signer: await recoverLoginSigner(message, signature) };
  port.postMessage(answer);
});
