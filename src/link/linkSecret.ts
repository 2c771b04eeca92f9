// How two processes of a deployment prove to each other that they are: TLS 1.3 with a key that only
// they have, and without certificates. Each connection has keys of its own (X25519), and TLS
// refuses what was altered, repeated or left out on the way.

import type { TLSSocket } from 'node:tls';
import { assert } from '../std/assert.ts';

export type LinkSecret = {
  readonly deployment: string;
  /** From the store that all processes of the deployment share. */
  readonly secret: Buffer;
};

const secretBytesMin = 32;

/** A key given from outside needs a cipher with this hash. */
export const linkTls = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  ciphers: 'TLS_AES_128_GCM_SHA256',
  ecdhCurve: 'X25519',
} as const;

/** The name of the key, which a stranger can read. */
export function identityOf({ deployment, secret }: LinkSecret): string {
  assert(secret.length >= secretBytesMin, 'the secret of the link has at least 32 bytes');
  return `evermark link ${deployment}`;
}

/**
 * Whether the peer has proven the secret. Without the question a dialling process would also take
 * a server with a certificate that the platform trusts.
 */
export function isProven(socket: TLSSocket): boolean {
  return socket.isSessionReused() && Object.keys(socket.getPeerCertificate()).length === 0;
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'what came was altered on the way'],
  ['ERR_SSL_BINDER_DOES_NOT_VERIFY', 'the peer has another secret of the link'],
  ['ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR', 'the peer has another secret of the link'],
  ['ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM', 'the peer belongs to another deployment'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'the peer belongs to another deployment'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'the peer did not prove in time that it is a member'],
  ['ECONNREFUSED', 'no process takes links there'],
]);

/** Why a connection has failed, for the journal. */
export function whyFailed(error: Error & { readonly code?: string }): string {
  const { code = '', message } = error;
  const known = sentences.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_')) return `the peer does not speak the link (${code})`;
  return code === '' ? message : `${message} (${code})`;
}
