// Seals the secret store's rows. Each row has a data key, which the present master key wraps.
// Values are sealed with the data key and bound to their row and column. This file knows no tables.

import { assert, must } from '../std/assert.ts';
import { keySize, seal, unseal } from './seal.ts';
import type { RandomBytes } from './secretStore.ts';

/** The present master key and its number, 1 for the first; a rotation changes both. */
export type Master = { key: Buffer; version: number };

/** The first columns of every sealed row. */
export type Wrapped = { readonly master_version: number; readonly data_key: Buffer };

export type RowCryptor = {
  /** A new data key for the row, plain and wrapped. */
  readonly wrapNew: (row: string) => { readonly dataKey: Buffer; readonly wrapped: Wrapped };
  readonly wrap: (row: string, dataKey: Buffer) => Wrapped;
  readonly unwrap: (row: string, wrapped: Wrapped) => Buffer;
  readonly sealText: (dataKey: Buffer, column: string, text: string) => Buffer;
  readonly openText: (dataKey: Buffer, column: string, sealed: Buffer) => string;
};

/**
 * `master` is read at each call. Opening throws a fault when a single bit of the row was altered,
 * or when it belongs to another row, column or master key.
 */
export function createRowCryptor(master: Master, randomBytes: RandomBytes): RowCryptor {
  const contextOf = (row: string, version: number): string => `${row}/data_key/${version}`;
  const wrap = (row: string, dataKey: Buffer): Wrapped => {
    const { key, version } = master;
    const context = contextOf(row, version);
    const sealed = seal({ key, context, plain: dataKey, randomBytes });
    return { master_version: version, data_key: sealed };
  };
  return {
    wrap,
    wrapNew: (row) => {
      const dataKey = randomBytes(keySize);
      return { dataKey, wrapped: wrap(row, dataKey) };
    },
    unwrap: (row, { master_version, data_key }) => {
      assert(master_version === master.version, `${row} is not of the last rotation`);
      const context = contextOf(row, master_version);
      const dataKey = unseal({ key: master.key, context, sealed: data_key });
      return must(dataKey, `the data key of ${row} does not open: the secret store was altered`);
    },
    sealText: (key, context, text) =>
      seal({ key, context, plain: Buffer.from(text, 'utf8'), randomBytes }),
    openText: (key, context, sealed) => {
      const plain = unseal({ key, context, sealed });
      return must(plain, `${context} does not open: the secret store was altered`).toString('utf8');
    },
  };
}
