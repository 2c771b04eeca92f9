// The secret store's check row: a known text sealed with the present master key. So a wrong key is
// noticed when the secret store is opened, and not only when the first secret is needed.

import type { Database } from 'better-sqlite3';
import type { Master } from './rowCryptor.ts';
import { seal, unseal } from './seal.ts';
import type { RandomBytes } from './secretStore.ts';

export type MasterProof = { readonly version: number; readonly proof: Buffer };

const proofText = Buffer.from('evermark vault', 'utf8');

function contextOf(version: number): string {
  return `master_key/${version}/proof`;
}

/** The check row; undefined while the secret store is new. */
export function readMasterProof(database: Database): MasterProof | undefined {
  return database.prepare<[], MasterProof>('SELECT version, proof FROM master_key').get();
}

/** Whether `key` is the master key that sealed the check row. */
export function provesMaster(key: Buffer, { version, proof }: MasterProof): boolean {
  const plain = unseal({ key, context: contextOf(version), sealed: proof });
  return plain?.equals(proofText) ?? false;
}

/** Takes over a check row that another secret store of the same deployment has made. */
export function adoptMasterProof(database: Database, { version, proof }: MasterProof): void {
  database.prepare('DELETE FROM master_key').run();
  database.prepare('INSERT INTO master_key (version, proof) VALUES (?, ?)').run(version, proof);
}

/** Makes `master` the present one; the row of the previous one is deleted. */
export function putMasterProof(
  database: Database,
  { key, version }: Master,
  randomBytes: RandomBytes,
): void {
  const proof = seal({ key, context: contextOf(version), plain: proofText, randomBytes });
  adoptMasterProof(database, { version, proof });
}
