// An account as its owner opens it: a wallet signs the typed data that the exchange hands out, the
// token makes an API key, the operator credits it. And the stock clients with that key.

import { USDMClient } from 'binance';
import { binanceusdm } from 'ccxt';
import { privateKeyToAccount } from 'viem/accounts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../fixtures/startServer.ts';

export type StockAccount = {
  readonly address: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Our own client with the token of the login. */
  readonly own: Client;
};

type Server = Pick<RunningServer, 'http' | 'operator'>;

/** Logs in with the wallet that this number seeds, makes a key, is credited. */
export async function openStockAccount(
  { http, operator }: Server,
  { seed, usdt }: { readonly seed: number; readonly usdt: string },
): Promise<StockAccount> {
  const wallet = privateKeyToAccount(`0x${seed.toString(16).padStart(64, '0')}`);
  const visitor = createClient({ baseUrl: http });
  const issued = await visitor.native.getLoginNonce({ address: wallet.address });
  const { address, nonce, timestamp } = issued;
  const signature = await wallet.signTypedData(issued.typed_data as never);
  const { token } = await visitor.native.login({ address, nonce, timestamp, signature });
  const own = createClient({ baseUrl: http, token });
  const key = await own.native.createApiKey({ label: 'stock client' });
  await operator.creditAccount({ address, amount: usdt, reference: `stock account ${seed}` });
  return { address, apiKey: key.api_key, secret: key.secret_key, own };
}

type KeyOf = Pick<StockAccount, 'apiKey' | 'secret'>;

/** ccxt's client of the convention, all its addresses turned to this server. */
export function createCcxt(http: string, { apiKey, secret }: KeyOf): binanceusdm {
  const client = new binanceusdm({
    apiKey,
    secret,
    // Its own brake is made for another exchange's limits.
    enableRateLimit: false,
    // Its ten seconds are too short for a busy machine.
    timeout: 600_000,
    options: { fetchCurrencies: false, warnOnFetchOpenOrdersWithoutSymbol: false },
  });
  const addresses = client.urls.api as Record<string, string>;
  for (const [name, address] of Object.entries(addresses)) {
    addresses[name] = address.replace(/^https:\/\/[^/]+/, http);
  }
  return client;
}

/** The npm package `binance`, its address turned to this server. */
export function createBinance(http: string, { apiKey, secret }: KeyOf): USDMClient {
  const options = { api_key: apiKey, api_secret: secret, baseUrl: http };
  return new USDMClient(options, { timeout: 600_000 });
}
