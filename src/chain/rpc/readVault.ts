// What a log must know to be bound to a vault (VLT-1), read from its chain. Every node must give
// the same answer: a binding is for ever.

import { decodeFunctionResult, encodeFunctionData, type Hex, keccak256 } from 'viem';
import { BadAnswer, createRpc, type Rpc } from './createRpc.ts';
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
  const [chainId, code] = (await rpc([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getCode', params: [vault, 'latest'] },
  ])) as [Hex, Hex];
  if (code === '0x') {
    throw new Error(
      `there is no contract at ${vault} on chain ${Number(chainId)}: no code was found there`,
    );
  }
  const codeHash = keccak256(code);
  const found = await readAll(rpc, vault);
  const unknown = readNames.filter((name) => found.get(name) === undefined);
  if (unknown.length > 0) {
    const isOther = unknown.includes('token') || unknown.includes('scale');
    const what = isOther ? 'the code of another contract' : 'the code of another version';
    throw new Error(
      `${vault} is not a vault of Evermark: ${what} was found there, ` +
        `${code.length / 2 - 1} bytes with the hash ${codeHash}, which does not answer ` +
        unknown.join(', '),
    );
  }
  const [token, scale] = [found.get('token') as Hex, found.get('scale') as bigint];
  return {
    chainId: Number(chainId),
    token: token.toLowerCase() as Hex,
    // scale = 10^(decimals − 6)
    tokenDecimals: scale.toString().length + 5,
    codeHash,
  };
}

/** What every vault answers, and the chain service asks of it. */
const readNames = [
  ...['token', 'scale', 'depositCount', 'depositsHash', 'paidTotal', 'paused', 'exitOpenedAt'],
  ...['signers', 'threshold', 'queueGeneration', 'lastAnchor', 'exitSilence', 'epoch'],
] as const;

/** The answers by name; undefined: the contract gives none that is one of a vault. */
async function readAll(rpc: Rpc, vault: Hex): Promise<ReadonlyMap<string, unknown>> {
  const answered = readNames.map(async (functionName): Promise<[string, unknown]> => {
    try {
      const data = encodeFunctionData({ abi, functionName } as never);
      const [answer] = await rpc([{ method: 'eth_call', params: [{ to: vault, data }, 'latest'] }]);
      return [functionName, decode(functionName, answer as Hex)];
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error;
      return [functionName, undefined];
    }
  });
  return new Map(await Promise.all(answered));
}

function decode(functionName: string, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi, functionName, data } as never);
  } catch {
    return undefined;
  }
}
