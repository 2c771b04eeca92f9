// The hash of typed data that a wallet signs (EIP-712), as far as logins need it: one flat message
// of texts, addresses and whole numbers.

import { keccak_256 } from '@noble/hashes/sha3';
import type { TypedData } from './signIn.ts';

type Field = { readonly name: string; readonly type: string };

const wordBytes = 32;
const encoder = new TextEncoder();

/** keccak256(0x1901 ‖ hash of the domain ‖ hash of the message) */
export function typedDataHash({ domain, types, primaryType, message }: TypedData): Uint8Array {
  return keccak_256(
    joined([
      Uint8Array.of(0x19, 0x01),
      structHash('EIP712Domain', types.EIP712Domain, domain),
      structHash(primaryType, types[primaryType], message),
    ]),
  );
}

/** keccak256(hash of the type ‖ word of each field) */
function structHash(name: string, fields: readonly Field[], value: object): Uint8Array {
  const said = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
  const values = value as Readonly<Record<string, unknown>>;
  const words = fields.map((field) => wordOf(field, values[field.name]));
  return keccak_256(joined([keccak_256(encoder.encode(said)), ...words]));
}

function wordOf({ type, name }: Field, value: unknown): Uint8Array {
  switch (type) {
    case 'string':
      return keccak_256(encoder.encode(String(value)));
    case 'address':
    case 'uint256':
      return numberWord(BigInt(value as string | number));
    default:
      throw new Error(`the field ${name} has the unknown type ${type}`);
  }
}

/** 32 bytes, the highest first. */
function numberWord(value: bigint): Uint8Array {
  const word = new Uint8Array(wordBytes);
  let rest = value;
  for (let at = wordBytes - 1; at >= 0; at -= 1) {
    word[at] = Number(rest & 255n);
    rest >>= 8n;
  }
  return word;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
