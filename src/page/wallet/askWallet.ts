// One request to a wallet of the browser, with a time limit: some wallets never answer.

import type { Provider } from './discoverWallets.ts';
import { WalletError } from './walletError.ts';

/** How long a person may think about a signature. */
const personMs = 180_000;
const refusedCode = 4001;
/** The wallet does not know the chain. */
export const unknownChainCode = 4902;

export type WalletRequest = { readonly method: string; readonly params?: readonly unknown[] };

/** Rejects with a `WalletError`, or with the wallet's own error if it says what to do next. */
export async function askWallet(
  provider: Provider,
  request: WalletRequest,
  limitMs = personMs,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletError('silent', request.method)), limitMs);
  });
  try {
    return await Promise.race([provider.request(request), late]);
  } catch (error) {
    if (error instanceof WalletError) throw error;
    if (codeOf(error) === refusedCode) throw new WalletError('refused', request.method);
    if (codeOf(error) === unknownChainCode) throw error;
    throw new WalletError('unusable', messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}

/** MetaMask wraps the code of an unknown chain once more on phones. */
export function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as {
    readonly code?: unknown;
    readonly data?: { readonly originalError?: { readonly code?: unknown } };
  };
  const inner = data?.originalError?.code;
  if (typeof inner === 'number') return inner;
  return typeof code === 'number' ? code : undefined;
}

const messageOf = (error: unknown): string =>
  String((error as { readonly message?: unknown } | null)?.message ?? error).slice(0, 200);
