// A batch of payments on its way between the machines of signers, as a file. It holds no secret,
// and a changed one has signatures that do not count.

import type { Hex } from 'viem';
import type { Payment, VaultPlace } from '../vaultTypes.ts';
import { readPayment, writePayment } from './peerRequest.ts';

export type SignedBy = { readonly signer: Hex; readonly signature: Hex };

export type PayFile = VaultPlace & {
  readonly payments: readonly Payment[];
  readonly signatures: readonly SignedBy[];
};

const format = 1;

export function payFileText({ chainId, vault, payments, signatures }: PayFile): string {
  const batch = { format, chain_id: chainId, vault, payments: payments.map(writePayment) };
  return `${JSON.stringify({ ...batch, signatures }, null, 2)}\n`;
}

/** Throws an error that says what is wrong. */
export function readPayFile(text: string): PayFile {
  const found = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
  const { format: given, chain_id: chainId, vault, payments, signatures } = found ?? {};
  const isWhole =
    given === format &&
    Number.isSafeInteger(chainId) &&
    isHex(vault, 20) &&
    Array.isArray(payments) &&
    Array.isArray(signatures);
  if (!isWhole) throw new Error('the file holds no batch of payments');
  return {
    chainId: chainId as number,
    vault,
    payments: payments.map(readPayment),
    signatures: signatures.map(readSignature),
  };
}

/** One batch with the signatures of all files. Throws unless all hold the same payments. */
export function mergePayFiles(files: readonly PayFile[]): PayFile {
  const [first] = files;
  const batchOf = (file: PayFile): string => payFileText({ ...file, signatures: [] });
  if (first === undefined || files.some((file) => batchOf(file) !== batchOf(first))) {
    throw new Error('the files do not hold the same batch');
  }
  const bySigner = new Map<Hex, SignedBy>();
  for (const each of files.flatMap(({ signatures }) => signatures)) bySigner.set(each.signer, each);
  return { ...first, signatures: [...bySigner.values()] };
}

function readSignature(found: unknown): SignedBy {
  const { signer, signature } = (found ?? {}) as Readonly<Record<string, unknown>>;
  if (!isHex(signer, 20) || !isHex(signature, 65)) throw new Error('a signature cannot be read');
  return { signer, signature };
}

const isHex = (found: unknown, bytes: number): found is Hex =>
  typeof found === 'string' && new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`).test(found);
