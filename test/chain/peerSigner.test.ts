// Goal: a signer of another operator signs what its own replica has open and nothing else, for who
// has the secret, once; what it refuses it refuses by name, and a stranger costs it one hash.
// Method: the real server on the loopback, with a replica that the test changes.

import { once } from 'node:events';
import { request as askRaw } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Hex, keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import type { OpenWithdrawal } from '../../src/chain/chainEngine.ts';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import { createAnchorFile } from '../../src/chain/signers/createAnchorFile.ts';
import { createCheck } from '../../src/chain/signers/createCheck.ts';
import { createLocalSigner, createReadSigner } from '../../src/chain/signers/createLocalSigner.ts';
import { createPeerSigner } from '../../src/chain/signers/createPeerSigner.ts';
import { createSignedFile } from '../../src/chain/signers/createSignedFile.ts';
import { createSignerDoor } from '../../src/chain/signers/createSignerDoor.ts';
import {
  encodePeerRequest,
  macOf,
  type PeerRequest,
  requestBytesMax,
} from '../../src/chain/signers/peerRequest.ts';
import { serveSigner } from '../../src/chain/signers/serveSigner.ts';
import { NotSigned, type Signer } from '../../src/chain/signers/signer.ts';
import type { Anchor, Payment, ToSign } from '../../src/chain/vaultTypes.ts';
import type { TreeClaim, TreeJudgement } from '../../src/solvency/createTreeMaker.ts';
import { systemClock } from '../../src/std/clock.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const place = { chainId: 43113, vault: `0x${'ab'.repeat(20)}` } as const;
const secret = Buffer.alloc(32, 7);
const key = keccak256(toHex('signer 0'));
const openOf = (at: number): OpenWithdrawal => ({
  id: `0x${String(at).repeat(32)}`,
  to: `0x${'cd'.repeat(20)}`,
  units: 5n,
  deadline: 1_800_000_000n,
  state: 'sent',
});
const pay = (payments: readonly Payment[]): ToSign => ({ action: 'pay', payments });
const paymentOf = (at: number): Payment => {
  const { state: _, ...payment } = openOf(at);
  return payment;
};

/** A signer, its server, and what its operator sees. */
async function serve(directory: string) {
  const open = new Map([1, 2, 3].map((at) => [openOf(at).id, openOf(at)]));
  const replica = {
    isBehind: false,
    isConserved: true,
    judgement: 'right' as TreeJudgement,
    judged: undefined as TreeClaim | undefined,
  };
  const reports: string[] = [];
  const clock = { now: () => systemClock.now() + clock.ahead, ahead: 0 };
  const signer = createLocalSigner({
    ...{ rule: chainRuleOf(place.chainId), place, key, now: () => 100n },
    check: createCheck({
      replica: {
        openByIds: async (ids) => {
          if (replica.isBehind) throw new NotSigned('behind', 'a later batch');
          return ids.map((id) => open.get(id));
        },
        isConserved: async () => replica.isConserved,
        judgeTree: async (claim) => {
          replica.judged = claim;
          return replica.judgement;
        },
      },
      unitsPerHourMax: 10n,
      store: createSignedFile(join(directory, 'signed')),
      anchors: createAnchorFile(join(directory, 'anchor')),
      interval: 3600n,
    }),
  });
  const report = (message: string): void => void reports.push(message);
  const door = createSignerDoor({ place, signer, secret, clock, report });
  const health = (): object => ({ signer: signer.address });
  const served = await serveSigner({ host: '127.0.0.1', port: 0, door, health });
  const url = `http://127.0.0.1:${served.port}`;
  return {
    ...{ url, open, replica, reports, clock, address: signer.address },
    [Symbol.asyncDispose]: served.close,
  };
}

type Served = Awaited<ReturnType<typeof serve>>;

const peerOf = ({ url, address }: Served, own = secret): Signer =>
  createPeerSigner({ place, url, address, secret: own, clock: systemClock });

/** A request that this program does not send. */
async function post(
  { url, address }: Served,
  changes: Partial<PeerRequest>,
  { body: given, mac }: { readonly body?: string; readonly mac?: string } = {},
): Promise<{ readonly status: number; readonly answer: Record<string, string> }> {
  const nonce = `${Math.random()}`.slice(2).padEnd(32, '0').slice(0, 32);
  const asked = { action: 'pay', payments: [paymentOf(1)] } as const;
  const whole = { ...place, signer: address, time: systemClock.now(), nonce, asked };
  const body = given ?? encodePeerRequest({ ...whole, ...changes });
  const headers = { 'evermark-mac': mac ?? macOf(secret, body) };
  const response = await fetch(`${url}/sign`, { method: 'POST', body, headers });
  return { status: response.status, answer: (await response.json()) as Record<string, string> };
}

const zero: Hex = `0x${'0'.repeat(64)}`;
const anchor: Anchor = {
  ...{ epoch: 3n, root: zero, sum: 9n, deficit: 1n, leaves: 2n, depositCount: 4n, withdrawn: 5n },
  ...{ logPosition: 77n, logHash: `0x${'8'.repeat(64)}`, treeHash: zero },
};
const anchorAsked: ToSign = { action: 'anchor', anchor };

test('VLT-8 it signs an anchor of a tree that its replica has made, and no other one', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const peer = peerOf(served);
  const signature = await peer.sign(anchorAsked);
  expect(await createReadSigner(place)(anchorAsked, signature)).toBe(served.address);
  expect(served.replica.judged).toMatchObject({ position: 77, batchHash: '8'.repeat(64), sum: 9n });
  for (const [judgement, refusal] of [
    ...([
      ['ahead', 'behind'],
      ['later', 'behind'],
      ['wrong', 'anchorDiffers'],
    ] as const),
    ...([
      ['filed', 'anchorDiffers'],
      ['unknown', 'anchorDiffers'],
    ] as const),
  ] as const) {
    served.replica.judgement = judgement;
    await expect(peer.sign(anchorAsked), judgement).rejects.toThrow(`${refusal}: the tree of`);
  }
});

test('it signs what its replica has open, and only that', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const peer = peerOf(served);
  const batch = [paymentOf(1), paymentOf(2)];
  expect(await createReadSigner(place)(pay(batch), await peer.sign(pay(batch)))).toBe(
    served.address,
  );
  const unknown = paymentOf(4);
  await expect(peer.sign(pay([unknown]))).rejects.toThrow(`notRequested: ${unknown.id} is no open`);
  await expect(peer.sign(pay([{ ...paymentOf(1), units: 6n }]))).rejects.toThrow('notRequested');
  await expect(peer.sign(pay([{ ...paymentOf(1), to: place.vault }]))).rejects.toThrow(
    'notRequested',
  );
  await expect(peer.sign(pay([]))).rejects.toThrow('batchEmpty');
  served.replica.isConserved = false;
  await expect(peer.sign(pay(batch))).rejects.toThrow('notConserved: the money');
  expect(served.reports.at(-1)).toBe('notConserved: the money of this replica does not add up');
});

test('a replica that is behind says so, and the next request is answered', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const peer = peerOf(served);
  served.replica.isBehind = true;
  await expect(peer.sign(pay([paymentOf(1)]))).rejects.toThrow('behind: a later batch');
  await expect(peer.sign(pay([paymentOf(1)]))).rejects.toThrow('behind: a later batch');
  served.replica.isBehind = false;
  await peer.sign(pay([paymentOf(1)]));
  expect(served.reports).toEqual([]);
});

test('the cap of the hour is reached, also by a signer that was started again', async () => {
  using directory = createTemporaryDirectory();
  {
    await using served = await serve(directory.path);
    await peerOf(served).sign(pay([paymentOf(1), paymentOf(2)]));
    await expect(peerOf(served).sign(pay([paymentOf(3)]))).rejects.toThrow('capReached');
  }
  await using again = await serve(directory.path);
  await expect(peerOf(again).sign(pay([paymentOf(3)]))).rejects.toThrow(
    'capReached: it signs 10 units in an hour, and this makes 15',
  );
  await peerOf(again).sign(pay([paymentOf(1)]));
});

test('who does not have the secret gets nothing, whatever he sends', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  await expect(peerOf(served, Buffer.alloc(32, 8)).sign(pay([paymentOf(1)]))).rejects.toThrow(
    'unauthorized: the request does not have the MAC of the secret',
  );
  for (const mac of ['', 'a', 'a'.repeat(64), 'a'.repeat(5000)]) {
    expect(await post(served, {}, { mac })).toMatchObject({ status: 401 });
  }
  // The MAC of another body.
  const mac = macOf(secret, 'another');
  expect(await post(served, {}, { mac })).toMatchObject({ status: 401 });
  expect(served.reports).toEqual([]);
});

test('a request counts once, for a short time, and not after a restart', async () => {
  using directory = createTemporaryDirectory();
  const body = (served: Served, time: number): string => {
    const asked = { action: 'pay', payments: [paymentOf(1)] } as const;
    const nonce = 'ab'.repeat(16);
    return encodePeerRequest({ ...place, signer: served.address, time, nonce, asked });
  };
  let seen: string;
  {
    await using served = await serve(directory.path);
    seen = body(served, systemClock.now());
    expect(await post(served, {}, { body: seen })).toMatchObject({ status: 200 });
    const again = await post(served, {}, { body: seen });
    expect(again).toMatchObject({ status: 401, answer: { refused: 'replayed' } });
    // Its nonce is forgotten when the time of the request no longer counts.
    served.clock.ahead = 61_000;
    const later = await post(served, {}, { body: seen });
    expect(later).toMatchObject({ status: 401, answer: { refused: 'stale' } });
    for (const time of [-31_000, 31_000]) {
      const stale = await post(served, { time: served.clock.now() + time });
      expect(stale.answer).toMatchObject({ refused: 'stale' });
    }
    expect(await post(served, { time: served.clock.now() + 29_000 })).toMatchObject({
      status: 200,
    });
  }
  await using restarted = await serve(directory.path);
  const replayed = await post(restarted, {}, { body: seen });
  expect(replayed).toMatchObject({ status: 401, answer: { refused: 'stale' } });
});

test('what it cannot read, or is not for it, is refused by name', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const sent = async (changes: Partial<PeerRequest>): Promise<string> =>
    (await post(served, changes)).answer.refused!;
  expect(await sent({ chainId: 43114 })).toBe('otherVault');
  expect(await sent({ vault: `0x${'ac'.repeat(20)}` })).toBe('otherVault');
  expect(await sent({ signer: place.vault })).toBe('otherSigner');
  const whole = {
    ...place,
    ...{ signer: served.address, time: systemClock.now(), nonce: 'ab'.repeat(16) },
  };
  const good = JSON.parse(encodePeerRequest({ ...whole, asked: pay([paymentOf(1)]) }));
  const [payment] = good.payments;
  const { anchor: wire } = JSON.parse(encodePeerRequest({ ...whole, asked: anchorAsked }));
  for (const [body, refused] of [
    ['', 'malformed'],
    ['null', 'malformed'],
    ['[]', 'malformed'],
    [{ ...good, format: 2 }, 'malformed'],
    [{ ...good, action: 'withdraw' }, 'actionUnknown'],
    [{ ...good, action: 'anchor' }, 'malformed'],
    [{ ...good, action: 'anchor', anchor: { ...wire, sum: '-1' } }, 'malformed'],
    [{ ...good, action: 'anchor', anchor: { ...wire, root: '0x12' } }, 'malformed'],
    [{ ...good, time: '1' }, 'malformed'],
    [{ ...good, nonce: 'ab' }, 'malformed'],
    [{ ...good, vault: 'ab' }, 'malformed'],
    [{ ...good, payments: {} }, 'malformed'],
    [{ ...good, payments: [null] }, 'malformed'],
    [{ ...good, payments: [{ ...payment, units: 5 }] }, 'malformed'],
    [{ ...good, payments: [{ ...payment, units: (1n << 64n).toString() }] }, 'malformed'],
    [{ ...good, payments: [{ ...payment, id: '0x12' }] }, 'malformed'],
    [{ ...good, payments: Array(301).fill(payment) }, 'batchTooLarge'],
  ] as const) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { answer } = await post(served, {}, { body: text });
    expect(answer.refused, text.slice(0, 200)).toBe(refused);
    good.nonce = keccak256(toHex(text)).slice(2, 34);
  }
});

test('a request that is too long, has no end, or is for nothing else is ended', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const long = 'x'.repeat(requestBytesMax + 1);
  expect(await post(served, {}, { body: long })).toMatchObject({ status: 413 });
  expect((await fetch(`${served.url}/`)).status).toBe(404);
  expect((await fetch(`${served.url}/sign`)).status).toBe(404);
  expect(await (await fetch(`${served.url}/health`)).json()).toEqual({ signer: served.address });
  // Without a length, and for ever.
  const endless = new Promise<string>((resolve) => {
    const { port } = new URL(served.url);
    const request = askRaw({ port, host: '127.0.0.1', path: '/sign', method: 'POST' });
    const part = 'x'.repeat(64 * 1024);
    const more = setInterval(() => request.write(part), 5);
    const end = (how: string): void => {
      clearInterval(more);
      request.destroy();
      resolve(how);
    };
    request.on('response', ({ statusCode }) => end(String(statusCode)));
    request.on('error', () => end('broken'));
  });
  expect(['413', 'broken']).toContain(await endless);
  await peerOf(served).sign(pay([paymentOf(1)]));
});

test('connections that say nothing do not keep others out', async () => {
  using directory = createTemporaryDirectory();
  await using served = await serve(directory.path);
  const port = Number(new URL(served.url).port);
  const silent = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {});
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  // The door has no place for one more.
  await expect(peerOf(served).sign(pay([paymentOf(1)]))).rejects.toThrow(/^127\.0\.0\.1:\d+: /);
  await Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
  await peerOf(served).sign(pay([paymentOf(1)]));
});

test('a signer that gives another signature, or none, is left out', async () => {
  const answers: Record<string, unknown> = {
    other: { signature: `0x${'12'.repeat(65)}` },
    none: { signature: '0x12' },
    text: 'no object',
  };
  using directory = createTemporaryDirectory();
  await using honest = await serve(directory.path);
  for (const [name, body] of Object.entries(answers)) {
    const door = async () => ({ status: 200, body: body as object });
    const health = (): object => ({});
    const served = await serveSigner({ host: '127.0.0.1', port: 0, door, health });
    const url = `http://127.0.0.1:${served.port}`;
    const peer = peerOf({ ...honest, url });
    const signed = peer.sign(pay([paymentOf(1)]));
    if (name !== 'other') await expect(signed, name).rejects.toThrow('the answer is no signature');
    else {
      const found = await createReadSigner(place)(pay([paymentOf(1)]), (await signed) as Hex);
      expect(found).toBeUndefined();
    }
    await served.close();
  }
});
