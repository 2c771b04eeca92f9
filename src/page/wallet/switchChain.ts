// Brings a wallet to the deployment's chain: wallets refuse to sign data that names another one.

import { askWallet, codeOf, unknownChainCode } from './askWallet.ts';
import type { Provider } from './discoverWallets.ts';
import { WalletError } from './walletError.ts';

type Chain = {
  readonly name: string;
  readonly coin: string;
  readonly rpc: string;
  readonly explorer: string;
};

/** What a wallet must know to add the chain; the addresses are those that the chains publish. */
const chains: Readonly<Record<number, Chain>> = {
  43114: {
    name: 'Avalanche C-Chain',
    coin: 'AVAX',
    rpc: 'https://api.avax.network/ext/bc/C/rpc',
    explorer: 'https://snowtrace.io',
  },
  43113: {
    name: 'Avalanche Fuji',
    coin: 'AVAX',
    rpc: 'https://api.avax-test.network/ext/bc/C/rpc',
    explorer: 'https://testnet.snowtrace.io',
  },
  42161: {
    name: 'Arbitrum One',
    coin: 'ETH',
    rpc: 'https://arb1.arbitrum.io/rpc',
    explorer: 'https://arbiscan.io',
  },
  421614: {
    name: 'Arbitrum Sepolia',
    coin: 'ETH',
    rpc: 'https://sepolia-rollup.arbitrum.io/rpc',
    explorer: 'https://sepolia.arbiscan.io',
  },
  56: {
    name: 'BNB Smart Chain',
    coin: 'BNB',
    rpc: 'https://bsc-dataseed.bnbchain.org',
    explorer: 'https://bscscan.com',
  },
};

/** Rejects with a `WalletError` unless the wallet is on the chain afterwards. */
export async function switchChain(provider: Provider, chainId: number): Promise<void> {
  if ((await chainOf(provider)) === chainId) return;
  const wanted = `0x${chainId.toString(16)}`;
  const move = { method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] };
  try {
    await askWallet(provider, move);
  } catch (error) {
    const chain = chains[chainId];
    if (codeOf(error) !== unknownChainCode || chain === undefined) throw error;
    const { name, coin, rpc, explorer } = chain;
    const known = {
      chainId: wanted,
      chainName: name,
      nativeCurrency: { name: coin, symbol: coin, decimals: 18 },
      rpcUrls: [rpc],
      blockExplorerUrls: [explorer],
    };
    await askWallet(provider, { method: 'wallet_addEthereumChain', params: [known] });
    // A wallet may add a chain without moving to it.
    if ((await chainOf(provider)) !== chainId) await askWallet(provider, move);
  }
  if ((await chainOf(provider)) !== chainId) throw new WalletError('wrongChain');
}

/** Wallets answer hexadecimal text, some of them numbers. */
async function chainOf(provider: Provider): Promise<number> {
  return Number(await askWallet(provider, { method: 'eth_chainId' }));
}
