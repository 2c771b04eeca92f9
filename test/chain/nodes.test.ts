// Goal: a node of the chain that is away, behind, or says something else than the others raises an
// alarm while the others agree, and one lost request raises none. Method: the service over three
// nodes that a test turns, and a watch with a clock of the test's own.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, zeroHash } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import { createRpc } from '../../src/chain/rpc/createRpc.ts';
import { askQuorum, type Vote } from '../../src/chain/service/askQuorum.ts';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { createChainService } from '../../src/chain/service/createChainService.ts';
import type { NodeSighting } from '../../src/chain/service/createNodeBook.ts';
import { createNodeWatch } from '../../src/chain/service/createNodeWatch.ts';
import type { Observation, VaultNode } from '../../src/chain/vaultNode.ts';

const codeHash: Hex = `0x${'cc'.repeat(32)}`;
const zero: Observation = {
  ...{ number: 0n, hash: zeroHash, time: 1n, depositCount: 0n, depositsHash: zeroHash },
  ...{ paidTotal: 0n, held: 0n, isPaused: false, isExitOpen: false },
};

type Turned = { isAway: boolean; latest: bigint; held: bigint; chainId: number };

/** Three nodes, and a service over them whose engine knows nothing. */
function openStage() {
  const states: Turned[] = ['a', 'b', 'c'].map(() => ({
    ...{ isAway: false, latest: 500n, held: 0n, chainId: 43113 },
  }));
  const nodes = states.map((state, at) => {
    const say = async <T>(answer: T): Promise<T> => {
      if (state.isAway) throw new Error('connect ECONNREFUSED');
      return answer;
    };
    return {
      name: `${'abc'[at]}.example`,
      identify: () => say({ chainId: state.chainId, codeHash }),
      heads: () => say({ latest: state.latest, finalized: state.latest - 10n }),
      observe: (number: bigint) => say({ ...zero, number, held: state.held }),
      payments: () => say([]),
    } as never as VaultNode;
  });
  const view = { open: [], openCount: 0, depositCount: 0n, depositsHash: zeroHash };
  const totals = { depositTotal: 0n, completedTotal: 0n };
  const service = createChainService({
    ...{ rule: chainRuleOf(43113), codeHash, nodes, signers: [], gasAccount: undefined },
    engine: { view: async () => ({ ...view, ...totals }), submit: async () => [] },
  } as never as ChainParts);
  const statesNow = async (): Promise<string[]> => {
    const { nodes: sightings } = await service.round();
    return sightings.map(({ state }) => state);
  };
  return { states, service, statesNow };
}

test('each round says of each node whether it answers, keeps up and agrees', async () => {
  const { states, service, statesNow } = openStage();
  // The third answer may come after the two that count.
  await statesNow();
  expect(await statesNow()).toEqual(['good', 'good', 'good']);
  states[1]!.isAway = true;
  expect((await statesNow())[1]).toBe('away');
  states[1]!.isAway = false;
  states[1]!.latest = 400n;
  expect((await statesNow())[1]).toBe('good');
  states[1]!.latest = 399n;
  expect((await statesNow())[1]).toBe('behind');
  states[1]!.latest = 500n;
  states[2]!.held = 7n;
  await statesNow();
  const round = await service.round();
  expect(round.nodes.map(({ state }) => state)).toEqual(['good', 'good', 'differs']);
  expect(round.nodes[2]!.said).toContain('held 7');
  // They are for the watch: a round alone raises no alarm of them.
  expect(round.alarms).toEqual([]);
});

test('without a quorum the alarm names every node and what it said', async () => {
  const { states, service } = openStage();
  await service.round();
  states[0]!.isAway = true;
  states[2]!.held = 7n;
  const [alarm] = (await service.round()).alarms;
  expect(alarm!.name).toBe('noQuorum');
  expect(alarm!.detail).toMatch(/node 1 \(a\.example\): no answer about .*: connect ECONNREFUSED/);
  expect(alarm!.detail).toMatch(/node 2 \(b\.example\): of block 490 it says .* held 0/);
  expect(alarm!.detail).toMatch(/node 3 \(c\.example\): of block 490 it says .* held 7/);
});

test('a node of another chain, and one with other code, say what was found', async () => {
  const { states, service } = openStage();
  states[0]!.chainId = 1;
  const round = await service.round();
  expect(round.alarms).toEqual([
    { name: 'nodeIsForeign', node: 1, detail: 'a.example: it serves chain 1, not 43113' },
  ]);
  expect(round.nodes[0]!.state).toBe('foreign');
});

test('a late vote is seen when it comes, and without a quorum none is false', async () => {
  const votes = new Map<string, Vote<number>>();
  let late = (_: number): void => {};
  const asked: Record<string, () => Promise<number>> = {
    one: async () => 1,
    two: async () => 1,
    three: () => new Promise((resolve) => (late = resolve)),
  };
  const ask = (names: string[]) =>
    askQuorum(
      names,
      (name) => asked[name]!(),
      (name, vote) => void votes.set(name, vote),
    );
  expect(await ask(['one', 'two', 'three'])).toBe(1);
  expect([...votes.keys()]).toEqual(['one', 'two']);
  late(5);
  await new Promise(setImmediate);
  expect(votes.get('three')).toEqual({ answer: 5, agrees: false });
  votes.clear();
  asked.two = async () => 2;
  expect(await ask(['one', 'two'])).toBeUndefined();
  expect([...votes.values()]).toEqual([{ answer: 1 }, { answer: 2 }]);
});

function openWatch() {
  let now = 0;
  const watch = createNodeWatch(() => now);
  const look = (state: NodeSighting['state'], afterMs: number) => {
    now += afterMs;
    const { nodes, alarms } = watch.take([
      { name: 'a.example', state: 'good', said: '' },
      { name: 'b.example', state, said: `it is ${state}` },
    ]);
    expect(nodes.map(({ isWrong }) => isWrong)).toEqual([false, alarms.length > 0]);
    return alarms.map(({ name, node, detail }) => `${name} ${node} ${detail}`);
  };
  return { look, watch };
}

test('nodeAway and nodeBehind stand after two minutes without a good answer', () => {
  for (const [state, name] of [
    ['away', 'nodeAway'],
    ['behind', 'nodeBehind'],
  ] as const) {
    const { look } = openWatch();
    const alarm = [`${name} 2 b.example: it is ${state}`];
    expect(look(state, 0)).toEqual([]);
    expect(look(state, 119_999)).toEqual([]);
    // What says nothing changes nothing.
    expect(look('unknown', 1)).toEqual(alarm);
    expect(look(state, 3_600_000)).toEqual(alarm);
    expect(look('good', 1)).toEqual([]);
    expect(look(state, 1)).toEqual([]);
    expect(look('good', 119_999)).toEqual([]);
    expect(look(state, 60_000)).toEqual([]);
  }
});

test('nodeDiffers stands at once, and for two minutes after the last other answer', () => {
  const { look } = openWatch();
  const alarm = ['nodeDiffers 2 b.example: it is differs'];
  expect(look('differs', 0)).toEqual(alarm);
  expect(look('good', 119_999)).toEqual(alarm);
  expect(look('differs', 0)).toEqual(alarm);
  expect(look('away', 119_999)).toEqual(alarm);
  expect(look('good', 1)).toEqual([]);
});

test('a foreign node is wrong at once, and the service itself has its alarm', () => {
  const watch = createNodeWatch(() => 0);
  const seen = watch.take([{ name: 'a', state: 'foreign', said: '' }]);
  expect(seen).toEqual({ nodes: [{ place: 1, host: 'a', isWrong: true }], alarms: [] });
});

const serve = async (
  answer: (body: string) => readonly [number, string] | undefined,
): Promise<string> => {
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const given = answer(`${request.headers.authorization} ${request.url} ${body}`);
    // Without one it stays silent.
    if (given !== undefined) response.writeHead(given[0]).end(given[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('no error of a node repeats the key or the password of its address', async () => {
  const seen: string[] = [];
  const host = await serve((asked) => {
    seen.push(asked);
    return [
      401,
      JSON.stringify([{ id: 0, error: { message: 'no key secretkey12 correct-horse' } }]),
    ];
  });
  const ask = (url: string): Promise<string> =>
    createRpc({ url, timeoutMs: 500, bytesMax: 1000 })([
      { method: 'eth_chainId', params: [] },
    ]).then(String, ({ message }: Error) => message);
  const hidden = await ask(`http://name:correct-horse@${host}/v3/secretkey12?key=a`);
  expect(hidden).toBe('eth_chainId: {"message":"no key [hidden] [hidden]"}');
  expect(seen[0]).toContain(`Basic ${Buffer.from('name:correct-horse').toString('base64')}`);
  const page = await serve(() => [502, '<html>bad gateway secretkey12</html>']);
  expect(await ask(`http://${page}/secretkey12`)).toBe(
    'the node answers with status 502 and no JSON',
  );
  expect(await ask('http://127.0.0.1:1/secretkey12')).toMatch(/^fetch failed: .*|bad port/);
  const silent = await serve(() => undefined);
  expect(await ask(`http://${silent}/secretkey12`)).toBe('no answer within 500 ms');
});
