// A vault and its token on a local chain, with signers whose keys are known: the stage of the tests
// and of the fuzzer. It deploys the committed artifacts; src/chain computes what signers sign.

import {
  type Abi,
  concat,
  decodeErrorResult,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEventLogs,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Anchor, digestOf, type Payment } from '../src/chain/vaultTypes.ts';
import { chainId, type LocalChain, type Receipt, Reverted } from './openLocalChain.ts';
import { readArtifact } from './readArtifact.ts';

/** An address that only the tests use. */
export const addressOf = (name: string): Hex => `0x${keccak256(toHex(name)).slice(26)}`;

/** Eight possible signers, in ascending order. */
export const signerAccounts = Array.from({ length: 8 }, (_, at) =>
  privateKeyToAccount(keccak256(toHex(`signer ${at}`))),
).sort((one, two) => (one.address.toLowerCase() < two.address.toLowerCase() ? -1 : 1));

export const admin = addressOf('admin');
export const guardian = addressOf('guardian');
export const keeper = addressOf('keeper');

export const setup = {
  signers: 3,
  threshold: 2,
  minimumDeposit: 1_000_000n,
  bucketCapacity: 10_000_000_000n,
  instantMax: 4_000_000_000n,
  queueDelay: 21_600n,
  exitSilence: 1_209_600n,
};

/** What a call of a contract ended with: its events, or the name of its error. */
export type Done = {
  readonly gasUsed: number;
  readonly block: bigint;
  readonly events: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
};

export type Contract = {
  readonly address: Hex;
  /** Throws an error whose message is the name of the contract's error. */
  readonly write: (
    from: Hex,
    name: string,
    args?: readonly unknown[],
    gas?: bigint,
  ) => Promise<Done>;
  readonly read: (name: string, args?: readonly unknown[]) => Promise<unknown>;
  readonly encode: (name: string, args?: readonly unknown[]) => Hex;
};

export type Vault = {
  readonly chain: LocalChain;
  readonly vault: Contract;
  readonly token: Contract;
  /** The block that the vault came with. */
  readonly block: number;
  /** The token's smallest amounts in one unit. */
  readonly scale: bigint;
  /** Gives a wallet tokens and lets the vault take them. */
  readonly fund: (account: Hex, units: bigint) => Promise<void>;
  /** The signatures of these signers, by their place. */
  readonly signPay: (payments: readonly Payment[], signers?: readonly number[]) => Promise<Hex[]>;
  readonly signAnchor: (anchor: Anchor, signers?: readonly number[]) => Promise<Hex[]>;
};

export async function openVault(
  chain: LocalChain,
  changes: Partial<typeof setup> & { readonly decimals?: number; readonly hostile?: boolean } = {},
): Promise<Vault> {
  const { decimals = 6, hostile = false, ...chosen } = changes;
  const terms = { ...setup, ...chosen };
  const token = await deploy(
    chain,
    hostile ? 'HostileToken' : 'TestUsdt',
    hostile ? [] : [decimals],
  );
  const { signers, ...others } = terms;
  const vault = await deploy(chain, 'EvermarkVault', [
    {
      ...others,
      token: token.address,
      admin,
      adminDelay: 86_400,
      signers: signerAccounts.slice(0, signers).map(({ address }) => address),
      guardians: [guardian],
      keeper,
    },
  ]);
  const place = { chainId, vault: vault.address };
  const scale = 10n ** BigInt(decimals - 6);
  const sign = (digest: Hex, chosenSigners: readonly number[]): Promise<Hex[]> =>
    Promise.all(chosenSigners.map((at) => signerAccounts[at]!.sign({ hash: digest })));
  return {
    chain,
    vault,
    token,
    block: vault.block,
    scale,
    fund: async (account, units) => {
      await token.write(account, 'mint', [account, units * scale]);
      const allowed = await token.read('allowance', [account, vault.address]);
      if (allowed === 0n) await token.write(account, 'approve', [vault.address, 2n ** 256n - 1n]);
    },
    signPay: (payments, chosenSigners = [0, 1]) =>
      sign(digestOf(place, { action: 'pay', payments }), chosenSigners),
    signAnchor: (anchor, chosenSigners = [0, 1]) =>
      sign(digestOf(place, { action: 'anchor', anchor }), chosenSigners),
  };
}

async function deploy(
  chain: LocalChain,
  name: Parameters<typeof readArtifact>[0],
  args: readonly unknown[],
): Promise<Contract & { readonly block: number }> {
  const { abi, bytecode } = readArtifact(name);
  const data = encodeDeployData({ abi, bytecode, args });
  const receipt = await named(abi, () => chain.send({ from: admin, data }));
  const block = Number(receipt.blockNumber);
  return { ...contractAt(chain, abi, receipt.contractAddress!), block };
}

function contractAt(chain: LocalChain, abi: Abi, address: Hex): Contract {
  const encode: Contract['encode'] = (functionName, args = []) =>
    encodeFunctionData({ abi, functionName, args });
  return {
    address,
    encode,
    write: async (from, name, args = [], gas) => {
      const transaction = { from, to: address, data: encode(name, args) };
      const limit = gas === undefined ? {} : { gas };
      return doneOf(abi, await named(abi, () => chain.send({ ...transaction, ...limit })));
    },
    read: async (functionName, args = []) => {
      const data = await named(abi, () => chain.call(address, encode(functionName, args)));
      return decodeFunctionResult({ abi, functionName, data });
    },
  };
}

/** Names the error of a contract. */
async function named<Result>(abi: Abi, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Reverted) || error.data === '0x') throw error;
    throw new Error(decodeErrorResult({ abi, data: error.data }).errorName);
  }
}

function doneOf(abi: Abi, { logs, gasUsed, blockNumber }: Receipt): Done {
  const parsed = parseEventLogs({ abi, logs: logs as never, strict: true });
  const events = parsed.map(({ eventName, args }) => ({
    name: eventName as string,
    args: args as unknown as Record<string, unknown>,
  }));
  return { gasUsed: Number(gasUsed), block: BigInt(blockNumber), events };
}

/** The id of a withdrawal that only the tests use. */
export const idOf = (name: string | number): Hex =>
  `0x${keccak256(concat([toHex('id'), toHex(name)])).slice(2, 34)}`;
