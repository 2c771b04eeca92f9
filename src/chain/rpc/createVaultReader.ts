// Reads functions of a vault in one block of one node, each list in one request.

import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { Rpc, RpcCall } from './createRpc.ts';

export const callAt = (block: Hex | 'latest', to: Hex, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data }, block === 'latest' ? block : { blockHash: block, requireCanonical: true }],
});

export function createVaultReader(rpc: Rpc, vault: Hex, abi: Abi) {
  type Call = { readonly functionName: string; readonly args: readonly unknown[] };
  const read = async (block: Hex | 'latest', calls: readonly Call[]): Promise<unknown[]> => {
    const encoded = calls.map((call) => encodeFunctionData({ abi, ...call }));
    const found = await rpc(encoded.map((data) => callAt(block, vault, data)));
    return found.map((data, at) =>
      decodeFunctionResult({ abi, functionName: calls[at]!.functionName, data: data as Hex }),
    );
  };
  return {
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
