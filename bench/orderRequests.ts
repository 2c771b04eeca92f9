// Accounts and signed orders for the benchmarks over HTTP, made before anything is timed.

import { createApiKey, getLoginNonce, login } from '../src/api/native/nativeRoutes.ts';
import { createNativeClient } from '../src/client/createNativeClient.ts';
import { hmacHex, makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';
import type { RunningServer } from '../test/fixtures/startServer.ts';
import { createWallet } from '../test/identity/wallet.ts';

export const symbol = 'BTCUSDT';
const mid = 60_000;
/** Timestamps are this far ahead, so that they are valid for a whole round. */
const timestampLeadMs = 30_000;

export type Key = readonly [apiKey: string, secret: string];

export type BenchAccount = {
  readonly key: Key;
  /** The bearer token of its login. */
  readonly token: string;
};

/** Of the account with this number. */
export const benchWallet = (at: number): ReturnType<typeof createWallet> => createWallet(at + 1000);

/** Accounts with money and a key each, made through the interface itself. */
export async function openAccounts(
  server: Pick<RunningServer, 'http' | 'operator'>,
  count: number,
): Promise<BenchAccount[]> {
  const { operator } = server;
  await operator.setIndexPrice({ symbol, price: String(mid) });
  const accounts: BenchAccount[] = [];
  for (let at = 0; at < count; at += 1) {
    const { address } = benchWallet(at);
    const amount = '1000000';
    await operator.creditAccount({ address, amount, reference: `bench ${at}` });
    accounts.push(await openAccount(server, at));
  }
  return accounts;
}

/** The keys of accounts that have money already. */
export async function openKeys(
  server: Pick<RunningServer, 'http' | 'operator'>,
  count: number,
): Promise<Key[]> {
  await server.operator.setIndexPrice({ symbol, price: String(mid) });
  const keys: Key[] = [];
  for (let at = 0; at < count; at += 1) keys.push((await openAccount(server, at)).key);
  return keys;
}

async function openAccount(
  { http }: Pick<RunningServer, 'http'>,
  at: number,
): Promise<BenchAccount> {
  const { address, sign } = benchWallet(at);
  const open = createNativeClient({ getLoginNonce, login }, { baseUrl: http });
  const { nonce, timestamp } = await open.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await open.login({ address, nonce, timestamp, signature });
  const own = createNativeClient({ createApiKey }, { baseUrl: http, token });
  const { api_key, secret_key } = await own.createApiKey({});
  return { key: [api_key, secret_key], token };
}

/**
 * Buys and sells in turn for each account, at prices that usually cross. With `named`, request n is
 * for the order `b<n>`.
 */
export function makeRequests(keys: readonly Key[], count: number, named = false): string[] {
  const timestamp = `timestamp=${Date.now() + timestampLeadMs}`;
  const ready = keys.map(([apiKey, secret]) => ({ apiKey, key: makeHmacKey(secret) }));
  return Array.from({ length: count }, (_, i) => {
    const { apiKey, key } = ready[i % ready.length]!;
    const buys = (i + Math.floor(i / ready.length)) % 2 === 0;
    const away = ((i * 7) % 11) - 3;
    const price = mid + (buys ? away : -away) / 10;
    const body = JSON.stringify({
      symbol,
      side: buys ? 'BUY' : 'SELL',
      type: 'LIMIT',
      quantity: `0.00${1 + (i % 5)}`,
      price: price.toFixed(1),
      timeInForce: 'GTC',
      ...(named ? { newClientOrderId: `b${i}` } : {}),
    });
    const signature = hmacHex(key, timestamp + body, undefined);
    return (
      `POST /fapi/v1/order?${timestamp}&signature=${signature} HTTP/1.1\r\n` +
      `Host: 127.0.0.1\r\nX-MBX-APIKEY: ${apiKey}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  });
}
