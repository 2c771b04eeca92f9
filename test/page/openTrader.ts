// A trader beside the person at the page: a wallet of the test with money, and a client with its
// login.

import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { createWallet } from '../identity/wallet.ts';

/** Of the exchanges that tests start. */
const chainId = 43113;

export async function openTrader(
  { http: baseUrl, operator }: Pick<RunningServer, 'http' | 'operator'>,
  { seed, amount }: { readonly seed: number; readonly amount: string },
): Promise<Client['native']> {
  const { address, sign } = createWallet(seed);
  await operator.creditAccount({ address, amount, reference: `deposit ${seed}` });
  const { native } = createClient({ baseUrl });
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  return createClient({ baseUrl, token }).native;
}
