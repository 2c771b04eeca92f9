// Goal: web3signer signs what the vault takes, over both of its doors, and only what was checked;
// what it does wrong costs its signature and nothing else. Method: a server with a real key.

import { type Hex, keccak256, recoverAddress, toHex } from 'viem';
import { expect, test } from 'vitest';
import { gatherSignatures } from '../../src/chain/service/gatherSignatures.ts';
import { createReadSigner } from '../../src/chain/signers/createLocalSigner.ts';
import { createWeb3Signer } from '../../src/chain/signers/createWeb3Signer.ts';
import { NotSigned, type Signer } from '../../src/chain/signers/signer.ts';
import { parseSignerName } from '../../src/chain/signers/signerName.ts';
import { digestOf, type Payment, type ToSign } from '../../src/chain/vaultTypes.ts';
import { type FakeWeb3Signer, serveWeb3Signer, type Web3SignerMode } from './serveWeb3Signer.ts';

const place = { chainId: 43114, vault: `0x${'ab'.repeat(20)}` } as const;
const key = keccak256(toHex('signer 0'));
const payments: readonly Payment[] = [1, 2].map((at) => ({
  id: `0x${String(at).repeat(32)}` as Hex,
  to: `0x${'cd'.repeat(20)}`,
  // More than a number of JSON holds.
  units: (1n << 63n) + BigInt(at),
  deadline: 1_800_000_000n,
}));
const readSigner = createReadSigner(place);
const asked: ToSign = { action: 'pay', payments };

const signerOf = ({ url, address }: FakeWeb3Signer, identifier = address): Signer =>
  createWeb3Signer({ place, url, identifier, check: async () => {}, now: () => 0n });

test('typed data and bytes are signed alike, by a signer of a chain with real money', async () => {
  using server = await serveWeb3Signer(key);
  for (const identifier of [server.address, server.publicKey]) {
    const signer = signerOf(server, identifier);
    expect(signer.address).toBe(server.address);
    const signature = await signer.sign(asked);
    const hash = digestOf(place, asked);
    expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(server.address);
    expect(await readSigner(asked, signature)).toBe(server.address);
  }
  expect(server.asked.map(({ path }) => path)).toEqual([
    '/',
    `/api/v1/eth1/sign/${server.publicKey}`,
  ]);
});

test('it is not asked before the check, nor when the check refuses', async () => {
  using server = await serveWeb3Signer(key);
  const { url, address: identifier } = server;
  const check = async (): Promise<void> => {
    throw new NotSigned('capReached', 'no more');
  };
  const signer = createWeb3Signer({ place, url, identifier, check, now: () => 0n });
  await expect(signer.sign(asked)).rejects.toThrow('capReached: no more');
  expect(server.asked).toEqual([]);
});

const lies: readonly [Web3SignerMode, RegExp][] = [
  ['otherKey', /has not signed what was asked$/],
  ['otherData', /has not signed what was asked$/],
  ['highS', /has not signed what was asked$/],
  ['lowV', /has not signed what was asked$/],
  ['huge', /the answer is longer than 4096 bytes$/],
  ['slow', /no answer within 5000 ms$/],
  ['failing', /web3signer answers 500$/],
  ['locked', /Signing from\\n is not an unlocked account/],
  ['moved', /unexpected redirect$/],
  ['noJson', /web3signer answers 200, and no JSON-RPC$/],
];

test.each(lies)(
  'what it does wrong is an alarm, and the batch goes without it: %s',
  async (mode, alarm) => {
    using bad = await serveWeb3Signer(key);
    using good = await serveWeb3Signer(keccak256(toHex('signer 1')));
    bad.mode = mode;
    const set = { signers: [bad.address, good.address], threshold: 1 };
    const signers = [signerOf(bad), signerOf(good)];
    const gathered = await gatherSignatures(signers, set, asked, readSigner);
    expect(gathered.signatures).toHaveLength(1);
    expect(await readSigner(asked, gathered.signatures![0]!)).toBe(good.address);
    expect(gathered.failures).toHaveLength(1);
    expect(gathered.failures[0]).toMatch(alarm);
    expect(gathered.failures[0]).not.toContain('\n');
  },
);

test('a public key that web3signer does not have is said', async () => {
  using server = await serveWeb3Signer(key);
  server.mode = 'locked';
  const signed = signerOf(server, server.publicKey).sign(asked);
  await expect(signed).rejects.toThrow('web3signer answers 404: it has no such key');
});

test('two signers of one key make one signature', async () => {
  using server = await serveWeb3Signer(key);
  const set = { signers: [server.address], threshold: 1 };
  const twice = [signerOf(server), signerOf(server, server.publicKey)];
  const { signatures } = await gatherSignatures(twice, set, asked, readSigner);
  expect(signatures).toHaveLength(1);
  expect(server.asked).toHaveLength(1);
  const two = await gatherSignatures(twice, { ...set, threshold: 2 }, asked, readSigner);
  expect(two.signatures).toBeUndefined();
});

test('the password of an address is sent as one, and no error shows it', async () => {
  using server = await serveWeb3Signer(key);
  const url = server.url.replace('://', '://operator:s%3Acret@');
  await signerOf({ ...server, url }).sign(asked);
  expect(server.asked[0]!.authorization).toBe(`Basic ${btoa('operator:s:cret')}`);
  server.mode = 'failing';
  const away = { ...server, url: 'http://operator:s%3Acret@127.0.0.1:1' };
  for (const each of [{ ...server, url }, away]) {
    const error = await signerOf(each)
      .sign(asked)
      .catch((failure: Error) => failure);
    expect(String(error)).not.toContain('cret');
  }
});

const address = `0x${'ab'.repeat(20)}`;

test.each([
  [`web3signer:https://a.example#${address}`, 'web3signer'],
  [`web3signer:http://10.0.0.1:9000/base#0x${'AB'.repeat(64)}`, 'web3signer'],
  [`web3signer:https://name:word@a.example#${address}`, 'web3signer'],
  [`web3signer:http://name:word@127.0.0.1:9000#${address}`, 'web3signer'],
  [`peer:https://a.example#${address}:keys/secret`, 'peer'],
  ['keys/one', 'file'],
  // A password that everybody on the way can read.
  [`web3signer:http://name:word@a.example#${address}`, undefined],
  [`web3signer:https://a.example#${address.slice(2)}`, undefined],
  [`web3signer:https://a.example?x=1#${address}`, undefined],
  ['web3signer:https://a.example', undefined],
  [`web3signer:ftp://a.example#${address}`, undefined],
  [`peer:https://a.example#${address}`, undefined],
  [`peer:https://a.example#0x${'ab'.repeat(64)}:keys/secret`, undefined],
])('how a signer is named: %s', (text, kind) => {
  expect(parseSignerName(text)?.kind).toBe(kind);
});
