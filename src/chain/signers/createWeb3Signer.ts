// A signer whose key is in web3signer (Consensys), and there in a file, an HSM or a KMS. It signs
// all that it is asked, so what must be checked is checked before it is asked. By its address it is
// asked for typed data over JSON-RPC; by its public key for bytes over REST. Both give the same
// signature.

import { concat, domainSeparator, type Hex, hashStruct, keccak256 } from 'viem';
import { type ToSign, typedDataOf, type VaultPlace, type VaultTypedData } from '../vaultTypes.ts';
import { askSigner, type SignerAddress, shownText } from './askSigner.ts';
import type { CheckAsked, Signer } from './signer.ts';

export type Web3SignerOptions = {
  readonly place: VaultPlace;
  readonly url: SignerAddress;
  /** An address of 20 bytes, or a public key of 64. */
  readonly identifier: Hex;
  readonly check: CheckAsked;
  /** Seconds. */
  readonly now: () => bigint;
};

/** Whether it is the name of a key for REST. */
const isPublicKey = (identifier: Hex): boolean => identifier.length === 130;

/** The last 20 bytes of the key's hash. */
export const signerAddressOf = (identifier: Hex): Hex =>
  isPublicKey(identifier) ? `0x${keccak256(identifier).slice(26)}` : identifier;

export function createWeb3Signer(options: Web3SignerOptions): Signer {
  const { place, url, identifier, check, now } = options;
  const ask = isPublicKey(identifier) ? askForBytes : askForTypedData;
  return {
    address: signerAddressOf(identifier),
    sign: async (asked: ToSign) => {
      await check(asked, now());
      return ask(url, identifier, typedDataOf(place, asked));
    },
  };
}

async function askForTypedData(url: string, address: Hex, typed: VaultTypedData): Promise<Hex> {
  // As text: earlier releases of web3signer take nothing else.
  const params = [address, typedDataText(typed)];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_signTypedData', params });
  const { status, text } = await askSigner({ url, path: '/', body });
  const { result, error } = parsed(text, status);
  if (error != null) throw new Error(`web3signer refuses: ${shownText(JSON.stringify(error))}`);
  if (status !== 200) throw new Error(`web3signer answers ${status}`);
  return signatureIn(result);
}

/**
 * It signs the keccak hash of the bytes that it gets, and answers with the signature alone, as
 * plain text; 400 for what it cannot read, 404 for a key that it does not have.
 */
async function askForBytes(url: string, key: Hex, typed: VaultTypedData): Promise<Hex> {
  const { domain, types, primaryType, message: data } = typed;
  const parts = [
    domainSeparator({ domain: domain! }),
    hashStruct({ data, types, primaryType } as Parameters<typeof hashStruct>[0]),
  ];
  const body = JSON.stringify({ data: concat(['0x1901', ...parts]) });
  const { status, text } = await askSigner({ url, path: `/api/v1/eth1/sign/${key}`, body });
  if (status === 404) throw new Error('web3signer answers 404: it has no such key');
  if (status !== 200) throw new Error(`web3signer answers ${status}`);
  return signatureIn(text.trim());
}

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** JSON has no large numbers: they are decimal texts. */
export const typedDataText = ({ types, ...rest }: VaultTypedData): string =>
  JSON.stringify({ types: { EIP712Domain: domainTypes, ...types }, ...rest }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );

function parsed(text: string, status: number): { result?: unknown; error?: unknown } {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // What a proxy before it says is no JSON.
  }
  throw new Error(`web3signer answers ${status}, and no JSON-RPC`);
}

/** Who has signed is found by the caller; here it only must have the form. */
export function signatureIn(found: unknown): Hex {
  if (typeof found === 'string' && /^0x[0-9a-fA-F]{130}$/.test(found)) return found as Hex;
  throw new Error('the answer is no signature');
}
