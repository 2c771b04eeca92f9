// Two deployments side by side on one machine (SYM-0, AUTH-5): what one has issued, the other
// refuses, even when an operator gave both the same secrets. And which chains a start refuses.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../src/client/apiError.ts';
import { createClient } from '../../src/client/createClient.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { noteUndocumented } from '../fixtures/undocumented.ts';
import { createBinance, createCcxt, openStockAccount, type StockAccount } from './stockAccount.ts';

const seed = 8001;
const chains = { fuji: 43113, sepolia: 421614 } as const;
const directory = createTemporaryDirectory();
const dataOf = (name: string): string => join(directory.path, name);

/** Worse than any operator should do: tokens and nonces differ by the chain alone. */
const sharedSecrets = {
  EVERMARK_JWT_SECRET: 'a secret that two deployments share',
  EVERMARK_MASTER_KEY: 'ab'.repeat(32),
};

let fuji: RunningServer;
let sepolia: RunningServer;
/** The same wallet's account on each. */
let onFuji: StockAccount;
let onSepolia: StockAccount;
let fujiToken: string;

const start = (name: keyof typeof chains): Promise<RunningServer> =>
  startServer({
    data: dataOf(name),
    flags: ['--chain', String(chains[name]), ...quietFlags],
    environment: sharedSecrets,
    onUndocumented: noteUndocumented,
  });

beforeAll(async () => {
  [fuji, sepolia] = await Promise.all([start('fuji'), start('sepolia')]);
  onFuji = await openStockAccount(fuji, { seed, usdt: '100' });
  onSepolia = await openStockAccount(sepolia, { seed, usdt: '7' });
  fujiToken = await tokenOf(fuji, chains.fuji);
});

afterAll(async () => {
  const codes = await Promise.all([fuji?.stop(), sepolia?.stop()]);
  directory[Symbol.dispose]();
  expect(codes).toEqual([0, 0]);
});

const wallet = privateKeyToAccount(`0x${seed.toString(16).padStart(64, '0')}`);

type Nonce = { readonly nonce: string; readonly timestamp: number; readonly typed_data: unknown };

/** A login with this nonce, the typed data signed as if for that chain. */
async function loginWith(
  { http }: RunningServer,
  { nonce, timestamp, typed_data }: Nonce,
  chainId: number,
): Promise<string> {
  const { domain, ...rest } = typed_data as { domain: object };
  const message = { ...rest, domain: { ...domain, chainId } };
  const signature = await wallet.signTypedData(message as never);
  const { address } = wallet;
  const { token } = await createClient({ baseUrl: http }).native.login({
    address,
    nonce,
    timestamp,
    signature,
  });
  return token;
}

const nonceOf = ({ http }: RunningServer): Promise<Nonce> =>
  createClient({ baseUrl: http }).native.getLoginNonce({ address: wallet.address });

async function tokenOf(server: RunningServer, chainId: number): Promise<string> {
  return loginWith(server, await nonceOf(server), chainId);
}

/** Status and code of the refusal. */
async function refusal(call: Promise<unknown>): Promise<{ status: number; code: unknown }> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`not refused: ${String(error)}`);
  return { status: error.status, code: error.code };
}

test('SYM-0 balances are kept apart', async () => {
  expect(await createBinance(fuji.http, onFuji).getBalance()).toMatchObject([{ balance: '100' }]);
  expect(await createBinance(sepolia.http, onSepolia).getBalance()).toMatchObject([
    { balance: '7' },
  ]);
});

test('SYM-0 a key of one deployment is INVALID_API_KEY on the other', async () => {
  for (const [{ http }, { apiKey, secret }] of [
    [sepolia, onFuji],
    [fuji, onSepolia],
  ] as const) {
    const own = createClient({ baseUrl: http, apiKey, secretKey: secret });
    const expected = { status: 401, code: 'INVALID_API_KEY' };
    expect(await refusal(own.fapi.getBalanceV2())).toEqual(expected);
  }
  // A stock client sees that its key is the trouble.
  const strange = createCcxt(sepolia.http, onFuji);
  await expect(strange.fetchBalance()).rejects.toMatchObject({ name: 'AuthenticationError' });
  await expect(createBinance(fuji.http, onSepolia).getBalance()).rejects.toMatchObject({
    code: -2015,
    body: { error: { code: 'INVALID_API_KEY' } },
  });
});

test('SYM-0 a token of one deployment is INVALID_TOKEN on the other', async () => {
  const sepoliaToken = await tokenOf(sepolia, chains.sepolia);
  const keysWith = ({ http }: RunningServer, token: string) =>
    createClient({ baseUrl: http, token }).native.listApiKeys();
  expect(await keysWith(fuji, fujiToken)).toHaveLength(1);
  expect(await keysWith(sepolia, sepoliaToken)).toHaveLength(1);
  const expected = { status: 401, code: 'INVALID_TOKEN' };
  expect(await refusal(keysWith(sepolia, fujiToken))).toEqual(expected);
  expect(await refusal(keysWith(fuji, sepoliaToken))).toEqual(expected);
});

test('AUTH-5 a nonce of one deployment is invalid for a login on the other', async () => {
  const strange = await nonceOf(fuji);
  for (const chainId of Object.values(chains)) {
    const expected = { status: 404, code: 'USER_NOT_FOUND' };
    expect(await refusal(loginWith(sepolia, strange, chainId))).toEqual(expected);
  }
  // The refusals have not used it up where it is good.
  expect(await loginWith(fuji, strange, chains.fuji)).toMatch(/^ey/);
});

test('AUTH-5 a signature for the chain of one deployment is invalid on the other', async () => {
  const expected = { status: 401, code: 'SIGNATURE_INVALID' };
  expect(await refusal(loginWith(sepolia, await nonceOf(sepolia), chains.fuji))).toEqual(expected);
});

test('SYM-0 a chain that the interface does not list is refused at start', async () => {
  for (const chain of ['1', 'fuji']) {
    const data = dataOf(`none-${chain}`);
    const started = startServer({ data, flags: ['--chain', chain, ...quietFlags] });
    await expect(started).rejects.toThrow(
      /ended with 2 .*\n.*one of 56, 42161, 43113, 43114, 421614/,
    );
    expect(existsSync(data)).toBe(false);
  }
});

test('SYM-0 the data of a deployment do not open for another chain', async () => {
  // The directory itself shows it, so it does not matter that the deployment is running.
  const flags = ['--chain', String(chains.sepolia), ...quietFlags];
  const started = startServer({ data: dataOf('fuji'), flags, environment: sharedSecrets });
  await expect(started).rejects.toThrow(/belongs to a deployment of chain 43113, not of 421614/);
  expect(await createBinance(fuji.http, onFuji).getBalance()).toMatchObject([{ balance: '100' }]);
});
