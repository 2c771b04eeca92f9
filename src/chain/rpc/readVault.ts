// What a log must know to be bound to a vault (VLT-1), read from its chain. Every node must give
// the same answer: a binding is for ever.

import { decodeFunctionResult, encodeFunctionData, type Hex, keccak256 } from 'viem';
import { BadAnswer, createRpc } from './createRpc.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

const limits = { timeoutMs: 10_000, bytesMax: 1_000_000 };

export type VaultFacts = {
  readonly chainId: number;
  readonly token: Hex;
  readonly tokenDecimals: number;
  readonly codeHash: Hex;
};

/** Rejects when a node does not answer, has no contract there, or differs from another one. */
export async function readVault(urls: readonly string[], vault: Hex): Promise<VaultFacts> {
  const found = await Promise.all(urls.map((url) => named(url, readFrom(url, vault))));
  const [first] = found;
  if (first === undefined) throw new Error('no node was named');
  const isSame = found.every((facts) => JSON.stringify(facts) === JSON.stringify(first));
  if (!isSame) throw new Error('the nodes do not agree on the vault');
  return first;
}

/**
 * Rejects when the contract is not of this block: no node may know a later one, and each that still
 * has the states of that time must have no code there before the block, and code in it.
 */
export async function checkDeployBlock(
  urls: readonly string[],
  vault: Hex,
  block: number,
): Promise<void> {
  await Promise.all(urls.map((url) => named(url, checkBlockAt(url, vault, block))));
}

async function checkBlockAt(url: string, vault: Hex, block: number): Promise<void> {
  const rpc = createRpc({ url, ...limits });
  const [newest] = (await rpc([{ method: 'eth_blockNumber', params: [] }])) as Hex[];
  if (block > Number(newest)) throw new Error(`there is no block ${block} yet`);
  const codeAt = async (at: number): Promise<unknown> => {
    const params = [vault, `0x${at.toString(16)}`];
    try {
      const [code] = await rpc([{ method: 'eth_getCode', params }]);
      return code;
    } catch (error) {
      // Most nodes forget old states: those say nothing.
      if (error instanceof BadAnswer) return undefined;
      throw error;
    }
  };
  if ((await codeAt(block)) === '0x') throw new Error(`the vault comes after block ${block}`);
  const before = block === 0 ? undefined : await codeAt(block - 1);
  if (before !== undefined && before !== '0x') {
    throw new Error(`the vault was there before block ${block}`);
  }
}

/** An error that names the node. */
async function named<T>(url: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`the node ${new URL(url).host}: ${message}`, { cause });
  }
}

async function readFrom(url: string, vault: Hex): Promise<VaultFacts> {
  const rpc = createRpc({ url, ...limits });
  const call = (functionName: 'token' | 'scale') => ({
    method: 'eth_call',
    params: [{ to: vault, data: encodeFunctionData({ abi, functionName }) }, 'latest'],
  });
  const [chainId, code, token, scale] = (await rpc([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getCode', params: [vault, 'latest'] },
    call('token'),
    call('scale'),
  ])) as Hex[];
  if (code === '0x') {
    throw new Error(`there is no contract at ${vault} on chain ${Number(chainId)}`);
  }
  const found = decodeFunctionResult({ abi, functionName: 'token', data: token! });
  const units = decodeFunctionResult({ abi, functionName: 'scale', data: scale! });
  return {
    chainId: Number(chainId),
    token: found.toLowerCase() as Hex,
    // scale = 10^(decimals − 6)
    tokenDecimals: units.toString().length + 5,
    codeHash: keccak256(code!),
  };
}
