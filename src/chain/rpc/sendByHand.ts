// One transaction that an operator sends: it is tried, signed with a key of this machine, sent to
// all nodes, and waited for. The chain service sends its own (service/payOut.ts).

import { setTimeout as wait } from 'node:timers/promises';
import { type Abi, decodeErrorResult, getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createRpc, type Rpc } from './createRpc.ts';

const limits = { timeoutMs: 10_000, bytesMax: 1_000_000 };
const receiptEveryMs = 500;
/** How long a transaction is waited for: 10 minutes. */
const receiptTriesMax = 1200;

export type HandSending = {
  /** Nodes of the chain; each must give this chain id. */
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly key: Hex;
  /** undefined: the data deploys a contract. */
  readonly to?: Hex;
  readonly data: Hex;
  /** Of the contract, whose errors it names. */
  readonly abi: Abi;
};

export type HandSent = {
  readonly transaction: Hex;
  readonly block: number;
  /** In lower case; of a deployed contract. */
  readonly contract: Hex | undefined;
  readonly gasUsed: number;
};

/** The chain id that all nodes give. Rejects when two differ. */
export async function readChainId(urls: readonly string[]): Promise<number> {
  const ids = await Promise.all(
    urls.map(async (url) => {
      const [id] = await createRpc({ url, ...limits })([{ method: 'eth_chainId', params: [] }]);
      return Number(id);
    }),
  );
  const [first] = ids;
  if (first === undefined) throw new Error('no node was named');
  if (ids.some((id) => id !== first)) throw new Error(`the nodes serve chains ${ids.join(', ')}`);
  return first;
}

/** Rejects when the contract refuses, by the name of its error, and nothing is sent then. */
export async function sendByHand({ abi, ...sending }: HandSending): Promise<HandSent> {
  const { urls, chainId, key, to, data } = sending;
  const nodes = urls.map((url) => createRpc({ url, ...limits }));
  const account = privateKeyToAccount(key);
  const from = account.address;
  const found = await Promise.any(nodes.map((rpc) => readGas(rpc, { from, to, data }))).catch(
    (error: AggregateError) => {
      throw namedError(error.errors[0] as Error, abi);
    },
  );
  const transaction = await account.signTransaction({
    ...{ type: 'eip1559', chainId, data, ...found },
    ...(to === undefined ? {} : { to: getAddress(to) }),
  });
  const sent = nodes.map((rpc) =>
    rpc([{ method: 'eth_sendRawTransaction', params: [transaction] }]),
  );
  const [hash] = (await Promise.any(sent).catch((error: AggregateError) => {
    throw error.errors[0] as Error;
  })) as [Hex];
  return waitFor(nodes, hash);
}

type Call = { readonly from: Hex; readonly to: Hex | undefined; readonly data: Hex };

/** The next nonce, fees for at least two full blocks, and a fifth more gas than the call takes. */
async function readGas(rpc: Rpc, call: Call) {
  const [nonce, block, tip, gas] = await rpc([
    { method: 'eth_getTransactionCount', params: [call.from, 'pending'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_estimateGas', params: [call] },
  ]);
  const { baseFeePerGas } = block as { readonly baseFeePerGas: Hex };
  return {
    nonce: Number(nonce),
    gas: (BigInt(gas as Hex) * 6n) / 5n,
    maxFeePerGas: 2n * BigInt(baseFeePerGas) + BigInt(tip as Hex),
    maxPriorityFeePerGas: BigInt(tip as Hex),
  };
}

/** What a contract gave back when it reverted stands in the node's error. */
function namedError(error: Error, abi: Abi): Error {
  const data = /"(0x[0-9a-f]{8,})"/.exec(error.message)?.[1];
  if (data === undefined) return error;
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: data as Hex });
    return new Error(`the contract refuses: ${errorName}(${args.join(', ')})`);
  } catch {
    return error;
  }
}

type Receipt = {
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
  readonly gasUsed: Hex;
};

async function waitFor(nodes: readonly Rpc[], transaction: Hex): Promise<HandSent> {
  const question = [{ method: 'eth_getTransactionReceipt', params: [transaction] }];
  for (let tries = 0; tries < receiptTriesMax; tries += 1) {
    // A node without it gives no result, which is a rejection.
    const answers = await Promise.any(nodes.map((rpc) => rpc(question))).catch(() => []);
    const receipt = answers[0] as Receipt | undefined;
    if (receipt === undefined) {
      await wait(receiptEveryMs);
      continue;
    }
    if (receipt.status !== '0x1') throw new Error(`${transaction} was reverted in its block`);
    return {
      transaction,
      block: Number(receipt.blockNumber),
      contract: (receipt.contractAddress?.toLowerCase() as Hex | undefined) ?? undefined,
      gasUsed: Number(receipt.gasUsed),
    };
  }
  throw new Error(
    `${transaction} was sent and is in no block yet: look it up before you try again`,
  );
}
