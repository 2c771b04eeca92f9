// A chain of one node on this machine, for tests: anvil, where npm has its binary. Every address
// may send without a key, and a transaction is a block. It knows nothing of the vault.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Hex } from 'viem';

export const chainId = 43113;

/** Where the binary is; undefined on platforms that have none. */
export function findAnvil(): string | undefined {
  try {
    const found = createRequire(import.meta.url).resolve(
      '@foundry-rs/anvil-linux-amd64/package.json',
    );
    return join(dirname(found), 'bin', 'anvil');
  } catch {
    return undefined;
  }
}

export type Receipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly { readonly address: Hex; readonly topics: Hex[]; readonly data: Hex }[];
};

/** A call or a transaction that was reverted, with what the contract gave back. */
export class Reverted extends Error {
  readonly data: Hex;
  constructor(message: string, data: Hex) {
    super(message);
    this.data = data;
  }
}

export type LocalChain = {
  readonly url: string;
  readonly ask: (method: string, ...params: unknown[]) => Promise<unknown>;
  /** Sends a transaction and gives its receipt; throws Reverted. */
  readonly send: (transaction: {
    readonly from: Hex;
    readonly to?: Hex;
    readonly data: Hex;
    readonly gas?: bigint;
  }) => Promise<Receipt>;
  readonly call: (to: Hex, data: Hex) => Promise<Hex>;
  /** Makes a block whose time is so many seconds after the last one. */
  readonly pass: (seconds: number) => Promise<void>;
  /**
   * Makes so many blocks above the one that includes what was sent before. The node makes that
   * block by itself a moment after it has answered; this does not depend on which comes first.
   */
  readonly bury: (blocks: number) => Promise<void>;
  readonly now: () => Promise<number>;
  readonly close: () => Promise<void>;
};

const startMsMax = 60_000;
/** With pauses that grow by a millisecond: 45 s. */
const receiptTriesMax = 300;
const gasMax = 25_000_000n;

export async function openLocalChain(): Promise<LocalChain> {
  const path = findAnvil();
  if (path === undefined) throw new Error('npm has no anvil for this platform');
  const flags = `--port 0 --chain-id ${chainId} --auto-impersonate --gas-price 0 --base-fee 0`;
  const quiet = '--accounts 1 --no-cors --hardfork cancun --prune-history 50 --slots-in-an-epoch 3';
  const child = spawn(path, `${flags} ${quiet}`.split(' '), { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = `http://127.0.0.1:${await portOf(child)}`;
  let id = 0;
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    id += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    const answer = (await response.json()) as {
      result?: unknown;
      error?: { message: string; data?: Hex };
    };
    if (answer.error === undefined) return answer.result;
    const { message, data } = answer.error;
    throw data === undefined ? new Error(`${method}: ${message}`) : new Reverted(message, data);
  };
  const now = async (): Promise<number> => {
    const block = (await ask('eth_getBlockByNumber', 'latest', false)) as { timestamp: Hex };
    return Number(block.timestamp);
  };
  const receiptOf = async (hash: unknown): Promise<Receipt> => {
    for (let tries = 0; tries < receiptTriesMax; tries += 1) {
      const receipt = (await ask('eth_getTransactionReceipt', hash)) as Receipt | null;
      if (receipt !== null) return receipt;
      await new Promise((resolve) => setTimeout(resolve, tries));
    }
    throw new Error(`transaction ${hash} is in no block`);
  };
  return {
    url,
    ask,
    now,
    send: async ({ gas = gasMax, ...rest }) => {
      const transaction = { ...rest, gas: `0x${gas.toString(16)}`, gasPrice: '0x0' };
      // A node gives the reason of a revert to calls alone.
      await ask('eth_call', transaction, 'latest');
      const hash = await ask('eth_sendTransaction', transaction);
      const receipt = await receiptOf(hash);
      if (receipt.status !== '0x1') throw new Reverted('reverted in its block', '0x');
      return receipt;
    },
    call: (to, data) => ask('eth_call', { to, data }, 'latest') as Promise<Hex>,
    pass: async (seconds) => {
      await ask('evm_setNextBlockTimestamp', (await now()) + seconds);
      await ask('evm_mine');
    },
    bury: async (blocks) => {
      await ask('anvil_mine', `0x${(blocks + 1).toString(16)}`);
    },
    close: async () => {
      // A signal for the whole group may have ended it.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The port that the node has taken, from its first lines. */
function portOf(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (): void => reject(new Error(`anvil did not start: ${text}`));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      fail();
    }, startMsMax);
    child.once('exit', fail);
    child.stderr!.on('data', (chunk) => {
      text += chunk;
    });
    child.stdout!.on('data', (chunk) => {
      text += chunk;
      const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(text);
      if (found === null) return;
      clearTimeout(late);
      child.stdout!.removeAllListeners('data').resume();
      resolve(found[1]!);
    });
  });
}
