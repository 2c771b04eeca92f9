// The chain service with real nodes and keys on a local chain, against the committed contract and
// the engine.

import { type Hex, keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { addressOf } from '../../contracts/openVault.ts';
import { readArtifact } from '../../contracts/readArtifact.ts';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import { createRpcNode } from '../../src/chain/rpc/createRpcNode.ts';
import { placeAbi, vaultAbi } from '../../src/chain/rpc/vaultAbi.ts';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { createChainService, type Round } from '../../src/chain/service/createChainService.ts';
import { createLocalSigner } from '../../src/chain/signers/createLocalSigner.ts';
import { idsPerReadMax } from '../../src/chain/vaultNode.ts';
import { createChainParts } from './createChainParts.ts';
import { dieAfter } from './dieAfter.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
const [alice, bob] = [addressOf('alice'), addressOf('bob')];
/** Beyond the depth at which the local node calls a block final. */
const finalBlocks = 10;

onChain('the chain service', (open) => {
  test('credits a deposit, pays a withdrawal and completes it, with a start before each round', async () => {
    const stage = await open();
    const { chain, vault } = stage;
    const { engine, parts } = await createChainParts(stage);
    const settle = (): Promise<void> => chain.bury(finalBlocks);
    /** A new service each time: nothing of the one before is left. */
    const restart = async (rounds: number): Promise<Round> => {
      const service = createChainService(parts);
      let last = await service.round();
      for (let made = 1; made < rounds; made += 1) {
        await settle();
        last = await service.round();
      }
      return last;
    };
    await stage.fund(alice, 9n * million);
    await vault.write(alice, 'deposit', [alice, 5n * million]);
    await vault.write(alice, 'deposit', [bob, 4n * million]);
    await restart(1);
    expect(engine.state().deposits).toEqual([]);
    await settle();
    await restart(1);
    expect([...engine.state().balances]).toEqual([
      [alice, 5n * million],
      [bob, 4n * million],
    ]);
    await chain.pass(86_400);
    const id = engine.request({ to: bob, units: 3n * million, time: BigInt(await chain.now()) })!;
    // Nothing is paid until what was the newest block at the start is final.
    expect(await restart(1)).toMatchObject({ isWhole: true, alarms: [] });
    expect(await restart(2)).toMatchObject({ sent: 'pay', alarms: [] });
    expect(engine.state().open.get(id)).toMatchObject({ state: 'sent' });
    await chain.bury(0);
    expect(await stage.token.read('balanceOf', [bob])).toBe(3n * million);
    expect((await restart(1)).facts).toBe(0);
    await settle();
    expect(await restart(1)).toMatchObject({ isWhole: true, facts: 1, alarms: [] });
    expect(engine.state().ended.get(id)).toMatchObject({ end: 'completed' });
    expect(engine.state().completed).toBe(3n * million);
  });

  test('places are looked up before the facts of their block reach the engine', async () => {
    const stage = await open();
    const { engine, parts } = await createChainParts(stage);
    await stage.fund(alice, million);
    await stage.vault.write(alice, 'deposit', [alice, million]);
    await stage.chain.bury(finalBlocks);
    const seen: string[] = [];
    const service = createChainService({
      ...parts,
      lookUp: async ({ number }) => {
        seen.push(`${number} with ${engine.state().deposits.length}`);
      },
    });
    const { block } = await service.round();
    expect(engine.state().deposits).toHaveLength(1);
    expect(seen).toEqual([`${block!.number} with 0`]);
  });

  test('pays once when a service dies at each of its steps', async () => {
    const stage = await open();
    const { chain, vault } = stage;
    const { engine, parts } = await createChainParts(stage);
    await stage.fund(alice, 9n * million);
    await vault.write(alice, 'deposit', [bob, 9n * million]);
    await chain.pass(86_400);
    // Its clock is ahead, so that the deadline does not come while services die.
    const time = BigInt(await chain.now()) + 9n * 86_400n;
    let id: Hex | undefined;
    let steps = 0;
    const isEnded = (): boolean => id !== undefined && engine.state().ended.has(id);
    for (let isDead = true; isDead || !isEnded(); steps += 1) {
      const dying = dieAfter(parts, steps);
      const service = createChainService(dying.parts);
      isDead = false;
      for (let round = 0; round < 2 && !isDead; round += 1) {
        await chain.bury(finalBlocks);
        isDead = (await Promise.race([service.round(), dying.died])) === 'died';
      }
      id ??= engine.request({ to: bob, units: million, time });
      expect(steps, 'a round has an end').toBeLessThan(300);
    }
    expect(steps).toBeGreaterThan(30);
    expect(engine.state().ended.get(id!)).toMatchObject({ end: 'completed' });
    expect(engine.state().total).toBe(9n * million);
    expect(await stage.token.read('balanceOf', [bob])).toBe(million);
    expect(await vault.read('paidTotal')).toBe(engine.state().completed);
  });

  test('VLT-4 asks for few ids at a time, and pays what is behind those already paid', async () => {
    const stage = await open();
    const { chain, vault } = stage;
    const { engine, parts } = await createChainParts(stage, 1000n * million);
    const accounts = ['one', 'two', 'three'].map(addressOf);
    const each = 120;
    await stage.fund(alice, 1000n * million);
    for (const account of accounts) {
      await vault.write(alice, 'deposit', [account, BigInt(each) * million]);
    }
    await chain.pass(86_400);
    await chain.bury(finalBlocks);
    const asked: number[] = [];
    const nodes = parts.nodes.map((node) => ({
      ...node,
      payments: (block: Hex | 'latest', ids: readonly Hex[]) => {
        asked.push(ids.length);
        return node.payments(block, ids);
      },
    }));
    const service = createChainService({ ...parts, nodes });
    await service.round();
    const time = BigInt(await chain.now());
    for (let at = 0; at < each; at += 1) {
      for (const to of accounts) engine.request({ to, units: million, time });
    }
    await chain.bury(finalBlocks);
    // The first 200 are paid in a block that is not final when the others are chosen.
    for (let batch = 0; batch < 2; batch += 1) {
      expect(await service.round()).toMatchObject({ sent: 'pay', alarms: [] });
      await chain.bury(0);
    }
    expect(await vault.read('paidTotal')).toBe(BigInt(3 * each) * million);
    expect(Math.max(...asked)).toBe(idsPerReadMax);
    await chain.bury(finalBlocks);
    await service.round();
    expect(engine.state().ended.size).toBe(3 * each);
  });

  test('VLT-7 a vault that holds too little pays nothing until it holds enough', async () => {
    const stage = await open();
    const { chain, vault, token } = stage;
    const { engine, parts } = await createChainParts(stage);
    await stage.fund(alice, 9n * million);
    await vault.write(alice, 'deposit', [bob, 9n * million]);
    await chain.pass(86_400);
    const service = createChainService(parts);
    const round = async (): Promise<Round> => {
      await chain.bury(finalBlocks);
      return service.round();
    };
    await round();
    // What its issuer, or a hole in the token, may do.
    await token.write(vault.address, 'transfer', [alice, 1n]);
    const id = engine.request({ to: bob, units: million, time: BigInt(await chain.now()) })!;
    for (let rounds = 0; rounds < 3; rounds += 1) {
      const { alarms, sent } = await round();
      expect(alarms).toMatchObject([{ name: 'vaultShort' }]);
      expect(sent).toBeUndefined();
    }
    expect(engine.state().open.get(id)).toMatchObject({ state: 'requested' });
    await token.write(alice, 'transfer', [vault.address, 1n]);
    await round();
    const { block, alarms } = await round();
    expect(alarms).toEqual([]);
    expect(block).toMatchObject({ held: 8n * million, paidTotal: million });
    expect(engine.state().ended.get(id)).toMatchObject({ end: 'completed' });
  });

  test('a node of another contract has no vote, and a node that is away stops nothing', async () => {
    const [stage, other] = [await open(), await open()];
    const { parts } = await createChainParts(stage);
    await stage.chain.bury(finalBlocks);
    const foreign = createRpcNode({ url: stage.chain.url, vault: other.token.address });
    const away = createRpcNode({ url: 'http://127.0.0.1:1', vault: stage.vault.address });
    const [node] = parts.nodes;
    const run = (nodes: ChainParts['nodes']): Promise<Round> =>
      createChainService({ ...parts, nodes }).round();
    expect((await run([foreign, node!, node!])).alarms).toMatchObject([{ name: 'nodeIsForeign' }]);
    expect(await run([away, node!, node!])).toMatchObject({ isWhole: true, alarms: [] });
    expect((await run([away, foreign, node!])).alarms.map(({ name }) => name)).toEqual([
      'nodeIsForeign',
      'noQuorum',
    ]);
  });
});

test('each function and event that is called, read or shown is in the contract as it stands', () => {
  const { abi } = readArtifact('EvermarkVault');
  const textOf = (item: unknown): string =>
    JSON.stringify(item, (name, value) =>
      name === 'internalType' || value === false ? undefined : value,
    );
  const own = abi.map((item) => JSON.stringify(sorted(JSON.parse(textOf(item)))));
  for (const item of [...vaultAbi, ...placeAbi]) {
    expect(own, item.name).toContain(JSON.stringify(sorted(JSON.parse(textOf(item)))));
  }
});

/** Members in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== '' && each !== false)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

test('no key of a file signs where the money is real', () => {
  const rule = chainRuleOf(43114);
  const place = { chainId: 43114, vault: alice };
  const options = {
    rule,
    place,
    key: keccak256('0x01'),
    check: async () => {},
    now: () => 0n,
  };
  expect(() => createLocalSigner(options)).toThrow('chain 43114 has real money');
});
