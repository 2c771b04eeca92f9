// Where deposits and withdrawals are on a local chain, and the terms of the vault, as its nodes say
// it; and what becomes of logs that a node makes up.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { addressOf, idOf, setup } from '../../contracts/openVault.ts';
import type { KnownBlock, LookupNode } from '../../src/chain/lookupNode.ts';
import { createLookupNode } from '../../src/chain/rpc/createLookupNode.ts';
import { createLookups } from '../../src/chain/service/createLookups.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
const alice = addressOf('alice');
type Call = { readonly method: string; readonly params: unknown[]; readonly id: number };
type Answer = { readonly id: number; result: unknown };

/** A node that answers as the chain does, but for what `change` makes of its logs. */
async function openLiar(url: string, change: (logs: unknown[]) => unknown) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answered = await fetch(url, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body },
    });
    const answers = (await answered.json()) as Answer[];
    for (const { method, id } of JSON.parse(body) as Call[]) {
      const answer = answers.find((each) => each.id === id)!;
      if (method === 'eth_getLogs') answer.result = change(answer.result as unknown[]);
    }
    response.end(JSON.stringify(answers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

onChain('looking up places', (open) => {
  const stageOf = async () => {
    const stage = await open();
    const { chain, vault } = stage;
    await stage.fund(alice, 9n * million);
    await vault.write(alice, 'deposit', [alice, 5n * million]);
    const newest = async (): Promise<KnownBlock> => {
      const block = (await chain.ask('eth_getBlockByNumber', 'latest', false)) as {
        readonly number: Hex;
        readonly hash: Hex;
      };
      return { number: BigInt(block.number), hash: block.hash };
    };
    const nodeAt = (url: string): LookupNode => createLookupNode({ url, vault: vault.address });
    return { ...stage, newest, nodeAt };
  };

  test('VLT-2 a deposit has its transaction and block, and the terms are those of the contract', async () => {
    const { chain, vault, newest, nodeAt } = await stageOf();
    const block = await newest();
    const { places, terms } = await createLookups([1, 2, 3].map(() => nodeAt(chain.url))).look(
      block,
    );
    const logs = (await chain.ask('eth_getLogs', {
      ...{ address: vault.address, fromBlock: '0x0', toBlock: 'latest' },
    })) as { readonly transactionHash: Hex; readonly blockNumber: Hex }[];
    const last = logs.at(-1)!;
    expect(places).toEqual([
      {
        ...{ kind: 'deposit', index: 1, transaction: last.transactionHash },
        block: Number(last.blockNumber),
      },
    ]);
    expect(terms).toEqual({
      block: Number(block.number),
      minimumDeposit: setup.minimumDeposit,
      instantMax: setup.instantMax,
      bucketCapacity: setup.bucketCapacity,
      bucketLevel: await vault.read('bucketLevel'),
      queueDelay: Number(setup.queueDelay),
    });
  });

  test('a node that does not have the block gives no answer, so its empty list counts for nothing', async () => {
    const { chain, newest, nodeAt } = await stageOf();
    const node = nodeAt(chain.url);
    const { number } = await newest();
    const other = { number, hash: `0x${'11'.repeat(32)}` as Hex };
    const range = { first: 0n, last: number };
    await expect(node.places(other, range)).rejects.toThrow('the node has another block');
    await expect(node.terms(other)).rejects.toThrow();
    expect(await createLookups([node, node, node]).look(other)).toEqual({
      places: [],
      terms: undefined,
    });
  });

  test('logs that a node makes up, leaves out or breaks are never shown', async () => {
    const { chain, newest, nodeAt } = await stageOf();
    type Log = Record<string, unknown>;
    const changes: ((logs: unknown[]) => unknown)[] = [
      () => [],
      () => 'no list',
      () => [null],
      (logs) => (logs as Log[]).map((log) => ({ ...log, transactionHash: `0x${'00'.repeat(32)}` })),
      (logs) => (logs as Log[]).map((log) => ({ ...log, transactionHash: '<script>' })),
      (logs) => (logs as Log[]).map((log) => ({ ...log, blockNumber: '0xffffffff' })),
      (logs) => (logs as Log[]).map((log) => ({ ...log, address: alice })),
      (logs) => (logs as Log[]).map((log) => ({ ...log, topics: [idOf('x')] })),
    ];
    const truth = (await createLookups([1, 2].map(() => nodeAt(chain.url))).look(await newest()))
      .places;
    expect(truth).toHaveLength(1);
    for (const change of changes) {
      const liar = await openLiar(chain.url, change);
      try {
        const block = await newest();
        const one = createLookups([nodeAt(liar.url), nodeAt(chain.url), nodeAt(chain.url)]);
        expect((await one.look(block)).places).toEqual(truth);
        // No other node agrees with it.
        const two = createLookups([nodeAt(liar.url), nodeAt(chain.url)]);
        expect((await two.look(block)).places).toEqual([]);
      } finally {
        liar.close();
      }
    }
  });
});
