// Reads functions of a vault in one block of one node, each list in one request.

import {
  type Abi,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem';
import type { Rpc, RpcCall } from './createRpc.ts';

export const callAt = (block: Hex | 'latest', to: Hex, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data }, atBlock(block)],
});

export const atBlock = (block: Hex | 'latest'): unknown =>
  block === 'latest' ? block : { blockHash: block, requireCanonical: true };

export type VaultReader = ReturnType<typeof createVaultReader>;

export function createVaultReader(rpc: Rpc, vault: Hex, abi: Abi) {
  type Call = { readonly functionName: string; readonly args: readonly unknown[] };
  // Their selectors are hashed once.
  const prepared = new Map<string, object>();
  const preparedOf = (functionName: string): object => {
    const known = prepared.get(functionName);
    if (known !== undefined) return known;
    const made = prepareEncodeFunctionData({ abi, functionName }) as object;
    prepared.set(functionName, made);
    return made;
  };
  /** The answers as they came. */
  const ask = (block: Hex | 'latest', calls: readonly Call[]): Promise<readonly unknown[]> => {
    const encoded = calls.map(({ functionName, args }) =>
      encodeFunctionData({ ...preparedOf(functionName), args } as never),
    );
    return rpc(encoded.map((data) => callAt(block, vault, data)));
  };
  const read = async (block: Hex | 'latest', calls: readonly Call[]): Promise<unknown[]> => {
    const found = await ask(block, calls);
    return found.map((data, at) =>
      decodeFunctionResult({ abi, functionName: calls[at]!.functionName, data: data as Hex }),
    );
  };
  return {
    ask,
    read,
    one: async (block: Hex, functionName: string, args: readonly unknown[] = []) =>
      (await read(block, [{ functionName, args }]))[0],
    all: (block: Hex | 'latest', names: readonly string[]) =>
      read(
        block,
        names.map((functionName) => ({ functionName, args: [] })),
      ),
    each: (block: Hex | 'latest', functionName: string, ids: readonly Hex[]) =>
      read(
        block,
        ids.map((id) => ({ functionName, args: [id] })),
      ),
  };
}
