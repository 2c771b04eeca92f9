// One transaction that an operator sends: it is tried, signed with a key of this machine, sent to
// all nodes, and waited for. The chain service sends its own (service/payOut.ts). No single node is
// believed, and none that is away stops it.

import { setTimeout as wait } from 'node:timers/promises';
import { type Abi, formatEther, getContractAddress, type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { quorum, reachedByQuorum } from '../service/askQuorum.ts';
import { createRpc, type Rpc, type RpcCall } from './createRpc.ts';
import { revertOf } from './revertOf.ts';

const limits = { timeoutMs: 10_000, bytesMax: 1_000_000 };
const receiptEveryMs = 500;
/** How long a transaction is waited for: 10 minutes. */
const receiptTriesMax = 1200;
/** The most that a unit of gas may cost, in the chain's smallest unit: 200 gwei. */
const feeMax = 200_000_000_000n;

export type HandSending = {
  /** Nodes of the chain. Two must agree, or the only one counts. */
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly key: Hex;
  /** In lower case; undefined: the data deploys a contract. */
  readonly to?: Hex;
  readonly data: Hex;
  /** Of the contract, whose errors it names. */
  readonly abi: Abi;
};

export type HandSent = {
  readonly transaction: Hex;
  readonly block: number;
  /** In lower case: where a contract is deployed to. */
  readonly contract: Hex;
  readonly gasUsed: number;
};

type Node = { readonly host: string; readonly rpc: Rpc };
type Asked<T> = { readonly answers: readonly T[]; readonly failures: readonly Error[] };

const nodesOf = (urls: readonly string[]): readonly Node[] =>
  urls.map((url) => ({ host: new URL(url).host, rpc: createRpc({ url, ...limits }) }));

/** As many as the service needs; a single node is somebody's own. */
const quorumOf = ({ length }: readonly unknown[]): number => Math.min(quorum, length);

async function askAll<T>(
  nodes: readonly Node[],
  calls: readonly RpcCall[],
  read: (results: readonly unknown[]) => T,
): Promise<Asked<T>> {
  const asked = nodes.map(async ({ host, rpc }) => {
    try {
      return read(await rpc(calls));
    } catch (error) {
      throw new Error(`${host}: ${(error as Error).message}`);
    }
  });
  const settled = await Promise.allSettled(asked);
  return {
    answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    failures: settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
  };
}

/** The chain id of the nodes. Rejects when two differ, or too few answer. */
export async function readChainId(urls: readonly string[]): Promise<number> {
  const nodes = nodesOf(urls);
  const asked = [{ method: 'eth_chainId', params: [] }];
  const { answers, failures } = await askAll(nodes, asked, ([id]) => Number(id));
  if (new Set(answers).size > 1) throw new Error(`the nodes serve chains ${answers.join(', ')}`);
  if (answers.length < quorumOf(nodes)) throw failures[0] ?? new Error('no node was named');
  return answers[0]!;
}

/** Rejects when the contract refuses, by the name of its error, and nothing is sent then. */
export async function sendByHand({ abi, ...sending }: HandSending): Promise<HandSent> {
  const { chainId, key, to, data } = sending;
  const nodes = nodesOf(sending.urls);
  const account = privateKeyToAccount(key);
  const gas = await readGas(nodes, { from: account.address, to, data }, abi);
  const signed = await account.signTransaction({
    ...{ type: 'eip1559', chainId, data, ...gas },
    ...(to === undefined ? {} : { to }),
  });
  // Known here, so that no node can name another one.
  const transaction = keccak256(signed);
  const contract = getContractAddress({ from: account.address, nonce: BigInt(gas.nonce) });
  const raw = [{ method: 'eth_sendRawTransaction', params: [signed] }];
  const { answers, failures } = await askAll(nodes, raw, () => true);
  if (answers.length === 0) {
    throw new Error(`${transaction} may not have been sent, look it up: ${failures[0]?.message}`);
  }
  return { ...(await waitFor(nodes, transaction)), contract: contract.toLowerCase() as Hex };
}

type Call = { readonly from: Hex; readonly to: Hex | undefined; readonly data: Hex };

/** One false node moves it only among the true ones. */
const agreedOf = <T extends bigint | number>(values: readonly T[]): T =>
  reachedByQuorum(values) ?? values[0]!;

/** The next nonce, fees for at least two full blocks, and a fifth more gas than the call takes. */
async function readGas(nodes: readonly Node[], call: Call, abi: Abi) {
  const questions = [
    { method: 'eth_getTransactionCount', params: [call.from, 'pending'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_getCode', params: [call.to ?? call.from, 'latest'] },
    { method: 'eth_getBalance', params: [call.from, 'latest'] },
    { method: 'eth_estimateGas', params: [call] },
  ];
  const { answers, failures } = await askAll(nodes, questions, (results) => {
    const [nonce, block, tip, code, held, gas] = results as GasAnswers;
    const isThere = call.to === undefined || code !== '0x';
    const base = BigInt(block.baseFeePerGas);
    const seen = { base, tip: BigInt(tip), gas: BigInt(gas), held: BigInt(held) };
    return { ...seen, nonce: Number(nonce), isThere };
  });
  const needed = quorumOf(nodes);
  if (answers.length < needed) {
    const named = failures
      .map((error) => revertOf(error, abi))
      .find((found) => found !== undefined);
    if (named !== undefined) throw new Error(`the contract refuses: ${named.shown}`);
    throw failures[0] ?? new Error('no node answers');
  }
  if (answers.filter(({ isThere }) => isThere).length < needed) {
    throw new Error(`there is no contract at ${call.to} on this chain`);
  }
  const tip = agreedOf(answers.map((each) => each.tip));
  const base = agreedOf(answers.map((each) => each.base));
  if (base + tip > feeMax) {
    throw new Error(`a unit of gas costs ${base + tip}, and at most ${feeMax} is paid`);
  }
  const fee = 2n * base + tip;
  const maxFeePerGas = fee < feeMax ? fee : feeMax;
  const gas = (agreedOf(answers.map((each) => each.gas)) * 6n) / 5n;
  const held = agreedOf(answers.map((each) => each.held));
  if (held < gas * maxFeePerGas) {
    throw new Error(
      `the account ${call.from} cannot pay for the gas: it has ${formatEther(held)} of the ` +
        `chain's coin, and this transaction may cost ${formatEther(gas * maxFeePerGas)}; nothing ` +
        'was sent',
    );
  }
  const nonce = agreedOf(answers.map((each) => each.nonce));
  return { nonce, gas, maxFeePerGas, maxPriorityFeePerGas: tip };
}

type GasAnswers = [Hex, { readonly baseFeePerGas: Hex }, Hex, Hex, Hex, Hex];

type Receipt = { readonly status: Hex; readonly blockNumber: Hex; readonly gasUsed: Hex };

async function waitFor(
  nodes: readonly Node[],
  transaction: Hex,
): Promise<Omit<HandSent, 'contract'>> {
  const question = [{ method: 'eth_getTransactionReceipt', params: [transaction] }];
  for (let tries = 0; tries < receiptTriesMax; tries += 1) {
    // A node that does not have it gives no result, which is a failure.
    const { answers } = await askAll(nodes, question, ([receipt]) => {
      const { status, blockNumber, gasUsed } = receipt as Receipt;
      return JSON.stringify({ status, blockNumber, gasUsed });
    });
    const agreed = answers.find(
      (each) => answers.filter((other) => other === each).length >= quorumOf(nodes),
    );
    if (agreed === undefined) {
      await wait(receiptEveryMs);
      continue;
    }
    const { status, blockNumber, gasUsed } = JSON.parse(agreed) as Receipt;
    if (status !== '0x1') throw new Error(`${transaction} was reverted in its block`);
    return { transaction, block: Number(blockNumber), gasUsed: Number(gasUsed) };
  }
  throw new Error(
    `${transaction} was sent and is in no block yet: look it up before you try again`,
  );
}
