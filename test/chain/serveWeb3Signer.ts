// A web3signer that works: a key, JSON-RPC and REST over HTTP, as its documentation describes them.
// A test can make it lie, fail, wait, or say too much.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, hashTypedData, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export type Web3SignerMode =
  | 'honest'
  /** Signs with another key. */
  | 'otherKey'
  /** Signs another message. */
  | 'otherData'
  /** The second signature of the same message, which contracts refuse. */
  | 'highS'
  /** v of 0 or 1. */
  | 'lowV'
  | 'huge'
  | 'slow'
  | 'failing'
  | 'locked'
  | 'moved'
  | 'noJson';

export type FakeWeb3Signer = {
  readonly url: string;
  readonly address: Hex;
  readonly publicKey: Hex;
  mode: Web3SignerMode;
  /** The requests that came, each with its path and its header of a password. */
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[];
  readonly [Symbol.dispose]: () => void;
};

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const other = keccak256('0x07');

export async function serveWeb3Signer(key: Hex): Promise<FakeWeb3Signer> {
  const account = privateKeyToAccount(key);
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const path = request.url ?? '';
      fake.asked.push({ path, authorization: request.headers.authorization });
      const { mode } = fake;
      if (mode === 'slow') return;
      if (mode === 'moved') return response.writeHead(307, { Location: '/elsewhere' }).end();
      if (mode === 'failing') return response.writeHead(500).end('{}');
      if (mode === 'noJson') return response.end('<html>');
      const rest = /^\/api\/v1\/eth1\/sign\/(0x[0-9a-f]{128})$/.exec(path)?.[1];
      const answer = (result: string): unknown =>
        rest === undefined
          ? response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
          : response.writeHead(200, { 'Content-Type': 'text/plain' }).end(result);
      if (mode === 'huge') return answer('0x'.padEnd(3_000_000, 'a'));
      const hash = rest === undefined ? hashOfTyped(body) : keccak256(JSON.parse(body).data);
      const known = rest === undefined ? addressIn(body) === fake.address : rest === fake.publicKey;
      if (mode === 'locked' || !known) {
        if (rest !== undefined) return response.writeHead(404).end('Resource not found');
        const error = { code: -32000, message: 'Signing from\n is not an unlocked account' };
        return response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
      }
      return answer(await signAs(mode, key, hash));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeWeb3Signer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    address: account.address.toLowerCase() as Hex,
    publicKey: `0x${account.publicKey.slice(4)}`,
    mode: 'honest',
    asked: [],
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return fake;
}

const addressIn = (body: string): string => JSON.parse(body).params[0].toLowerCase();

/** Earlier releases take the typed data as a text alone, and the domain's type must be in it. */
function hashOfTyped(body: string): Hex {
  const { method, params } = JSON.parse(body) as { method: string; params: string[] };
  if (method !== 'eth_signTypedData' || params.length !== 2) throw new Error('no such method');
  const typed = JSON.parse(params[1]!);
  const { EIP712Domain: domain, ...types } = typed.types;
  if (!Array.isArray(domain)) throw new Error('the domain has no type');
  return hashTypedData({ ...typed, types });
}

async function signAs(mode: Web3SignerMode, key: Hex, hash: Hex): Promise<Hex> {
  const account = privateKeyToAccount(mode === 'otherKey' ? other : key);
  const signed = await account.sign({ hash: mode === 'otherData' ? keccak256(hash) : hash });
  const [r, s, v] = [signed.slice(2, 66), BigInt(`0x${signed.slice(66, 130)}`), signed.slice(130)];
  const flipped = v === '1b' ? '1c' : '1b';
  if (mode === 'highS') {
    return `0x${r}${(order - s).toString(16).padStart(64, '0')}${flipped}`;
  }
  return mode === 'lowV' ? (`${signed.slice(0, 130)}${v === '1b' ? '00' : '01'}` as Hex) : signed;
}
