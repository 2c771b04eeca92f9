// The vault's check row: a known text sealed with the master key in force, so that a wrong key is
// noticed when the vault is opened and not when the first secret is asked for.

import type { Database } from 'better-sqlite3';
import type { Master } from './rowCryptor.ts';
import { seal, unseal } from './seal.ts';
import type { RandomBytes } from './vault.ts';

export type MasterProof = { readonly version: number; readonly proof: Buffer };

const proofText = Buffer.from('evermark vault', 'utf8');

function contextOf(version: number): string {
  return `master_key/${version}/proof`;
}

/** The check row; undefined while the vault is new. */
export function readMasterProof(database: Database): MasterProof | undefined {
  return database.prepare<[], MasterProof>('SELECT version, proof FROM master_key').get();
}

/** Whether `key` is the master key that the check row was sealed with. */
export function provesMaster(key: Buffer, { version, proof }: MasterProof): boolean {
  const plain = unseal({ key, context: contextOf(version), sealed: proof });
  return plain?.equals(proofText) ?? false;
}

/** Makes `master` the one in force; the row of the one before goes. */
export function putMasterProof(
  database: Database,
  { key, version }: Master,
  randomBytes: RandomBytes,
): void {
  const proof = seal({ key, context: contextOf(version), plain: proofText, randomBytes });
  database.prepare('DELETE FROM master_key').run();
  database.prepare('INSERT INTO master_key (version, proof) VALUES (?, ?)').run(version, proof);
}
