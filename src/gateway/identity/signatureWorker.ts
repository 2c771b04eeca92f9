// The entry of the thread that recovers signers. It answers one request after the other; the queue
// and its bound are the caller's.

import { parentPort, workerData } from 'node:worker_threads';
import type { LoginMessage } from './loginMessage.ts';
import { recoverLoginSigner } from './walletSignature.ts';

/** What `startSignatureRecovery` marks its threads with: importing this elsewhere does nothing. */
export const signatureWorkerMark = 'recover login signers';

export type RecoveryRequest = {
  readonly id: number;
  readonly message: LoginMessage;
  readonly signature: string;
};

export type RecoveryAnswer = { readonly id: number; readonly signer: string | undefined };

if (parentPort !== null && workerData === signatureWorkerMark) {
  const port = parentPort;
  port.on('message', async ({ id, message, signature }: RecoveryRequest) => {
    const answer: RecoveryAnswer = { id, signer: await recoverLoginSigner(message, signature) };
    port.postMessage(answer);
  });
}
