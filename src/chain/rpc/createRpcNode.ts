// A node of a chain behind the service's port. All storage is read in the block with a given hash,
// so a node that is elsewhere fails and does not answer for another block. Every answer is bounded.

import { encodeFunctionData, type Hex, keccak256 } from 'viem';
import type { DepositSlot, VaultNode } from '../vaultNode.ts';
import type { Anchor } from '../vaultTypes.ts';
import { createReportReads } from './createReportReads.ts';
import { createRpc, type Rpc } from './createRpc.ts';
import { callAt, createVaultReader, type VaultReader } from './createVaultReader.ts';
import { createWithdrawalReads } from './createWithdrawalReads.ts';
import { encodeCall } from './encodeCall.ts';
import { vaultAbi as abi, tokenAbi } from './vaultAbi.ts';

const timeoutMs = 3000;
const bytesMax = 4_000_000;

export type RpcNodeOptions = { readonly url: string; readonly vault: Hex };

type Block = { readonly number: Hex; readonly hash: Hex; readonly timestamp: Hex };

export function createRpcNode({ url, vault }: RpcNodeOptions): VaultNode {
  const rpc = createRpc({ url, timeoutMs, bytesMax });
  const reader = createVaultReader(rpc, vault, abi);
  let token: { readonly address: Hex; readonly scale: bigint } | undefined;
  const readToken = async (block: Hex): Promise<NonNullable<typeof token>> => {
    // They never change.
    token ??= {
      address: (await reader.one(block, 'token')) as Hex,
      scale: (await reader.one(block, 'scale')) as bigint,
    };
    return token;
  };
  return {
    name: new URL(url).host,
    ...createChainReads(rpc, vault),
    ...createReportReads(rpc, vault, reader.read),
    observe: async (number) => {
      const block = await readBlock(rpc, number);
      const { address, scale } = await readToken(block.hash);
      const balance = encodeFunctionData({
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [vault],
      });
      const [count, hash, paid, paused, exit] = await reader.all(block.hash, [
        ...['depositCount', 'depositsHash', 'paidTotal', 'paused', 'exitOpenedAt'],
      ]);
      const [held] = await rpc([callAt(block.hash, address, balance)]);
      return {
        number: BigInt(block.number),
        hash: block.hash,
        time: BigInt(block.timestamp),
        depositCount: count as bigint,
        depositsHash: hash as Hex,
        paidTotal: paid as bigint,
        held: BigInt(held as Hex) / scale,
        isPaused: paused as boolean,
        isExitOpen: exit !== 0n,
      };
    },
    deposits: (block, first, length) => readDepositSlots(reader, block, { first, length }),
    payments: createWithdrawalReads(rpc, vault, reader),
    places: async (block, ids) => {
      const generation = await reader.one(block, 'queueGeneration');
      const found = (await reader.each(block, 'placeOf', ids)) as [bigint, bigint][];
      return found.map(([readyAt, own]) => ({ readyAt, isVoid: own !== generation }));
    },
    ...createSignedReads(reader),
  };
}

/** Who signs, and the last anchor that was signed. */
const createSignedReads = (reader: VaultReader): Pick<VaultNode, 'lastAnchor' | 'signerSet'> => ({
  lastAnchor: async (block) => {
    const [anchor, acceptedAt, silence] = await reader.all(block, [
      ...['lastAnchor', 'anchoredAt', 'exitSilence'],
    ]);
    const times = { acceptedAt: acceptedAt as bigint, silence: silence as bigint };
    return { anchor: anchor as Anchor, ...times };
  },
  signerSet: async (block) => {
    const [signers, threshold] = await reader.all(block, ['signers', 'threshold']);
    return {
      signers: (signers as Hex[]).map(lowerCase),
      threshold: Number(threshold as bigint),
    };
  },
});

const lowerCase = (address: Hex): Hex => address.toLowerCase() as Hex;
const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`;

/** Index 0 has no slot in the contract's list: it stands for the sum before the first deposit. */
async function readDepositSlots(
  reader: VaultReader,
  block: Hex,
  { first, length }: { readonly first: bigint; readonly length: number },
): Promise<DepositSlot[]> {
  const none = first === 0n ? [{ account: `0x${'0'.repeat(40)}` as const, cumulative: 0n }] : [];
  const count = BigInt(length - none.length);
  const start = first === 0n ? 1n : first;
  const found = (await reader.one(block, 'depositsFrom', [start, count])) as DepositSlot[];
  const slots = found.map(({ account, cumulative }) => ({
    account: lowerCase(account),
    cumulative,
  }));
  return [...none, ...slots];
}

async function readBlock(rpc: Rpc, number: bigint | 'latest' | 'finalized'): Promise<Block> {
  const name = typeof number === 'bigint' ? hexOf(number) : number;
  const [block] = await rpc([{ method: 'eth_getBlockByNumber', params: [name, false] }]);
  return block as Block;
}

/** What concerns the chain and the gas account. */
function createChainReads(
  rpc: Rpc,
  vault: Hex,
): Pick<VaultNode, 'identify' | 'heads' | 'gasState' | 'estimateGas' | 'send'> {
  return {
    identify: async () => {
      const [id, code] = await rpc([
        { method: 'eth_chainId', params: [] },
        { method: 'eth_getCode', params: [vault, 'latest'] },
      ]);
      return { chainId: Number(id), codeHash: keccak256(code as Hex) };
    },
    heads: async () => {
      const latest = await readBlock(rpc, 'latest');
      const finalized = await readBlock(rpc, 'finalized');
      return { latest: BigInt(latest.number), finalized: BigInt(finalized.number) };
    },
    gasState: async (account) => {
      const [block, nonce, balance, tip] = await rpc([
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
        { method: 'eth_getTransactionCount', params: [account, 'latest'] },
        { method: 'eth_getBalance', params: [account, 'latest'] },
        { method: 'eth_maxPriorityFeePerGas', params: [] },
      ]);
      const { number, timestamp, baseFeePerGas } = block as Block & { baseFeePerGas: Hex };
      return {
        nonce: Number(nonce),
        balance: BigInt(balance as Hex),
        baseFee: BigInt(baseFeePerGas),
        tip: BigInt(tip as Hex),
        block: BigInt(number),
        time: BigInt(timestamp),
      };
    },
    estimateGas: async (from, call) => {
      const params = [{ from, to: vault, data: encodeCall(call) }];
      const [gas] = await rpc([{ method: 'eth_estimateGas', params }]);
      return BigInt(gas as Hex);
    },
    send: async (transaction) => {
      await rpc([{ method: 'eth_sendRawTransaction', params: [transaction] }]);
    },
  };
}
