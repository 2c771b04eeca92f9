// The real program beside a local chain: what its tests and its benchmark do with it.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, keccak256 } from 'viem';
import { chainId, type LocalChain } from '../../contracts/openLocalChain.ts';
import type { Vault } from '../../contracts/openVault.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { createWallet } from '../identity/wallet.ts';
import { giveCoins, keyFlags } from './chainKeys.ts';

/** A process by its address for clients. */
type Serving = { readonly http: string };

export type Trader = { readonly wallet: ReturnType<typeof createWallet>; token: string };

export const createTrader = (seed: number): Trader => ({ wallet: createWallet(seed), token: '' });

export const walletOf = ({ wallet }: Trader): Hex => wallet.address as Hex;

/** One node of this machine under three addresses: it does not look at what is behind the `?`. */
export const threeTimes = (url: string): string =>
  [1, 2, 3].map((place) => `${url}/?${place}`).join(',');

/** The flags of `evermark start` that name the vault and its nodes: one, asked at three places. */
export const vaultFlags = ({ chain, vault }: Vault): readonly string[] => [
  ...['--vault', vault.address, '--rpc', threeTimes(chain.url)],
];

/** The same with the gas account, which gets its coins, and all signers; writes their keys. */
export async function chainedFlags(stage: Vault, directory: string): Promise<readonly string[]> {
  await giveCoins(stage.chain);
  return [...vaultFlags(stage), ...keyFlags(directory)];
}

/** Ten blocks a second, so that a block is final within one; gives what ends it. */
export function keepMining(chain: LocalChain): () => Promise<void> {
  let isOver = false;
  const mining = (async (): Promise<void> => {
    while (!isOver) {
      await chain.ask('anvil_mine', '0x2').catch(() => {});
      await sleep(200);
    }
  })();
  return () => {
    isOver = true;
    return mining;
  };
}

/** Binds the log of an exchange to the vault. */
export async function bindTo(
  { chain, vault, token, block }: Vault,
  { operator }: Pick<Client, 'operator'>,
): Promise<unknown> {
  const code = (await chain.ask('eth_getCode', vault.address, 'latest')) as Hex;
  return operator.bindVault({
    chain_id: chainId,
    address: vault.address,
    token: token.address,
    token_decimals: 6,
    code_hash: keccak256(code),
    deploy_block: block,
  });
}

/** The native surface for an account, or for everybody. */
export const nativeOf = ({ http }: Serving, token = ''): Client['native'] =>
  createClient({ baseUrl: http, ...(token === '' ? {} : { token }) }).native;

/** Gives the trader a session. */
export async function login(serving: Serving, trader: Trader): Promise<void> {
  const { address, sign } = trader.wallet;
  const native = nativeOf(serving);
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId, address, nonce, timestamp });
  ({ token: trader.token } = await native.login({ address, nonce, timestamp, signature }));
}

/** Asks until the answer is right; what fails meanwhile is asked again. */
export async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && isRight(answer)) return answer;
    await sleep(50);
  }
}
