// Wallets of a run: a signature is the wallet's address and a hash of what it signs, in the form of
// a real one, because recovering a real signer takes a thread. A signature for another nonce or
// time recovers nothing, as with a real one.

import { createHash } from 'node:crypto';
import type { LoginMessage } from '../../src/gateway/identity/loginMessage.ts';
import type { SignatureRecovery } from '../../src/gateway/identity/startSignatureRecovery.ts';

export type LifeLogin = Omit<LoginMessage, 'chainId'>;

export function signLogin({ address, nonce, timestamp }: LifeLogin): string {
  const digest = createHash('sha256').update(`${address} ${nonce} ${timestamp}`).digest('hex');
  return `0x01${digest.slice(0, 62)}${address.slice(2).padStart(64, '0')}1b`;
}

export const lifeRecovery: SignatureRecovery = {
  recover: async (message, signature) => {
    const address = `0x${signature.slice(90, 130)}`;
    return signature === signLogin({ ...message, address })
      ? { kind: 'recovered', address }
      : { kind: 'unrecoverable' };
  },
  close: async () => {},
};
