// Pays into the vault of the exchange with a wallet of the browser. The wallet reads the chain and
// sends the transactions; the page itself asks no node. Calls are in the encoding of the contract
// ABI: the selector of a function, and words of 32 bytes.

import { askWallet } from './askWallet.ts';
import type { Provider } from './discoverWallets.ts';
import { switchChain } from './switchChain.ts';
import { WalletError } from './walletError.ts';

/** The first four bytes of the hash of a function's signature; a test derives them anew. */
export const selectors = {
  'balanceOf(address)': '70a08231',
  'allowance(address,address)': 'dd62ed3e',
  'approve(address,uint256)': '095ea7b3',
  'minimumDeposit()': '636bfbab',
  'deposit(address,uint64)': '29664ac6',
} as const;

/** Where money goes: the contracts, and the token's smallest amounts in 1e-6 of it. */
export type VaultPlace = { readonly vault: string; readonly token: string; readonly scale: bigint };

/** In units of 1e-6. */
export type Holdings = {
  /** What the wallet has, whole units. */
  readonly balance: bigint;
  /** What the vault may take of it, in the token's smallest amounts. */
  readonly allowance: bigint;
  /** The least deposit. */
  readonly minimum: bigint;
};

export type PayIn = VaultPlace & {
  readonly provider: Provider;
  /** The wallet's account, for which the exchange credits the deposit. */
  readonly owner: string;
  /** The wallet may leave it at any time. */
  readonly chainId: number;
};

const chainMs = 20_000;
/** A person at a hardware wallet takes as long as it takes: a second request would pay twice. */
const sendMs = 2 ** 31 - 1;
const receiptEveryMs = 1000;
/** How long a transaction is waited for: 10 minutes. */
const receiptTriesMax = 600;

/** Rejects with a `WalletError`. */
export async function readHoldings(paying: PayIn): Promise<Holdings> {
  const { provider, vault, token, scale, owner } = paying;
  const read = async (to: string, data: string): Promise<bigint> => {
    const request = { method: 'eth_call', params: [{ to, data }, 'latest'] };
    const answer = await askWallet(provider, request, chainMs);
    if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(answer)) {
      throw new WalletError('noContract', to);
    }
    return BigInt(answer);
  };
  return {
    balance: (await read(token, callOf('balanceOf(address)', owner))) / scale,
    allowance: await read(token, callOf('allowance(address,address)', owner, vault)),
    minimum: await read(vault, callOf('minimumDeposit()')),
  };
}

/** What the person has to do, or waits for. */
export type PayStep = 'allow' | 'confirm' | 'wait';

/**
 * Lets the vault take so many units if it may not yet, and pays them in. Resolves when the deposit
 * is in a block; the exchange credits it when that block is final. Rejects with a `WalletError`.
 */
export async function payIn(
  paying: PayIn,
  { units, allowance }: { readonly units: bigint; readonly allowance: bigint },
  onStep: (step: PayStep) => void,
): Promise<void> {
  const { provider, vault, token, scale, owner, chainId } = paying;
  const send = async (to: string, data: string): Promise<void> => {
    await switchChain(provider, chainId);
    const params = [{ from: owner, to, data, chainId: `0x${chainId.toString(16)}` }];
    const asked = askWallet(provider, { method: 'eth_sendTransaction', params }, sendMs);
    const transaction = await asked.catch((error: unknown) => {
      const isOther = error instanceof WalletError && error.problem === 'unusable';
      throw isOther ? new WalletError('unsent', error.message) : error;
    });
    onStep('wait');
    await waitFor(provider, transaction);
  };
  const allow = (amount: bigint): Promise<void> => {
    onStep('allow');
    return send(token, callOf('approve(address,uint256)', vault, amount));
  };
  const amount = units * scale;
  if (allowance < amount) {
    // USDT changes an allowance from zero or to zero alone.
    if (allowance > 0n) await allow(0n);
    await allow(amount);
  }
  onStep('confirm');
  await send(vault, callOf('deposit(address,uint64)', owner, units));
}

function callOf(name: keyof typeof selectors, ...args: readonly (string | bigint)[]): string {
  const words = args.map((arg) => {
    const digits = typeof arg === 'bigint' ? arg.toString(16) : arg.slice(2).toLowerCase();
    return digits.padStart(64, '0');
  });
  return `0x${selectors[name]}${words.join('')}`;
}

async function waitFor(provider: Provider, transaction: unknown): Promise<void> {
  if (typeof transaction !== 'string') throw new WalletError('unusable', 'no transaction');
  const request = { method: 'eth_getTransactionReceipt', params: [transaction] };
  for (let tries = 0; tries < receiptTriesMax; tries += 1) {
    // A node may be away for a moment.
    const receipt = await askWallet(provider, request, chainMs).catch(() => null);
    const { status } = (receipt ?? {}) as { readonly status?: unknown };
    if (typeof status === 'string' || typeof status === 'number') {
      if (Number(status) !== 1) throw new WalletError('reverted', transaction);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, receiptEveryMs));
  }
  throw new WalletError('notMined', transaction);
}
