// What is looked up for display: ranges of blocks, a quorum of nodes, bounds. Wrong answers of
// nodes make nothing but unknown places.

import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import type {
  BlockRange,
  DepositPlace,
  LookupNode,
  VaultPlaceOf,
  VaultTerms,
  WithdrawalPlace,
} from '../../src/chain/lookupNode.ts';
import { createLookups } from '../../src/chain/service/createLookups.ts';
import { createPlaces } from '../../src/chain/service/createPlaces.ts';

const hash = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const blockAt = (number: number) => ({ number: BigInt(number), hash: hash(number) });
const depositAt = (index: number, block = index): DepositPlace => ({
  ...{ kind: 'deposit', index, block, transaction: hash(index) },
});
const withdrawalAt = (event: WithdrawalPlace['event'], block: number): WithdrawalPlace => ({
  ...{ kind: 'withdrawal', id: '0x01', event, block, transaction: hash(block), readyAt: null },
});
const terms: VaultTerms = {
  ...{ block: 1, minimumDeposit: 1n, instantMax: 2n, bucketCapacity: 3n, bucketLevel: 4n },
  queueDelay: 5,
};

type Asked = { readonly ranges: [number, number][]; terms: number };

/** A node with a deposit in each hundredth block. */
function createNode(answer: Partial<LookupNode> = {}): LookupNode & { readonly asked: Asked } {
  const asked: Asked = { ranges: [], terms: 0 };
  const inRange = ({ first, last }: BlockRange): VaultPlaceOf[] => {
    const found: VaultPlaceOf[] = [];
    for (let block = first; block <= last; block += 1n) {
      if (block % 100n === 0n) found.push(depositAt(Number(block)));
    }
    return found;
  };
  return {
    asked,
    places: async (block, range) => {
      asked.ranges.push([Number(range.first), Number(range.last)]);
      return answer.places === undefined ? inRange(range) : answer.places(block, range);
    },
    terms: async (block) => {
      asked.terms += 1;
      return answer.terms === undefined ? terms : answer.terms(block);
    },
  };
}

test('the newest blocks come first, then older ones, and then only new ones', async () => {
  const node = createNode();
  const lookups = createLookups([node, createNode(), createNode()]);
  const found: number[] = [];
  for (const number of [5000, 5000, 5001, 5001, 5001, 5001]) {
    const { places } = await lookups.look(blockAt(number));
    found.push(...places.map(({ block }) => block));
  }
  expect(node.asked.ranges).toEqual([
    [3001, 5000],
    [1001, 3000],
    [5001, 5001],
    [0, 1000],
  ]);
  expect(found.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 51 }, (_, at) => at * 100),
  );
  // The terms are not read in each round.
  expect(node.asked.terms).toBe(1);
});

test('it looks back over a bounded part of the chain, and leaves out a gap beyond it', async () => {
  const node = createNode();
  const lookups = createLookups([node, node]);
  for (let round = 0; round < 40; round += 1) await lookups.look(blockAt(1_000_000));
  expect(Math.min(...node.asked.ranges.map(([first]) => first))).toBe(960_000);
  const before = node.asked.ranges.length;
  await lookups.look(blockAt(2_000_000));
  expect(node.asked.ranges.slice(before)).toEqual([
    [1_998_001, 2_000_000],
    [1_998_001, 2_000_000],
  ]);
});

test('after a failure it asks for fewer blocks, and nothing is left out', async () => {
  let most = 300;
  const places: LookupNode['places'] = async (_, { first, last }) => {
    if (last - first >= BigInt(most)) throw new Error('too many blocks');
    return createNode().places(blockAt(0), { first, last });
  };
  const nodes = [createNode({ places }), createNode({ places }), createNode({ places })];
  const lookups = createLookups(nodes);
  const found = new Set<number>();
  for (let round = 0; round < 60; round += 1) {
    for (const place of (await lookups.look(blockAt(4000))).places) found.add(place.block);
  }
  expect(found.size).toBe(41);
  most = 0;
  await expect(lookups.look(blockAt(4100))).resolves.toMatchObject({ places: [] });
});

test('one node that lies, is empty, hangs up or denies changes nothing; two make it unknown', async () => {
  const lies: LookupNode['places'] = async () => [depositAt(7, 950)];
  const empty: LookupNode['places'] = async () => [];
  const fails: LookupNode['places'] = async () => {
    throw new Error('away');
  };
  for (const places of [lies, empty, fails]) {
    const bad = createNode({ places, terms: async () => ({ ...terms, instantMax: 9n }) });
    const found = await createLookups([bad, createNode(), createNode()]).look(blockAt(1000));
    expect(found.places.map(({ block }) => block)).toContain(1000);
    expect(found.places).not.toContainEqual(depositAt(7, 950));
    expect(found.terms).toEqual(terms);
  }
  const other = createNode({ places: empty, terms: async () => ({ ...terms, instantMax: 8n }) });
  const bad = createNode({ places: lies, terms: async () => ({ ...terms, instantMax: 9n }) });
  const lookups = createLookups([bad, other, createNode()]);
  expect(await lookups.look(blockAt(1000))).toEqual({ places: [], terms: undefined });
});

test('places: the end of a withdrawal replaces its queue, in whatever order they come', () => {
  const [queued, paid] = [withdrawalAt('queued', 1), withdrawalAt('paid', 5)];
  for (const order of [
    [queued, paid],
    [paid, queued],
  ]) {
    const places = createPlaces();
    places.take({ places: order, terms: undefined });
    expect(places.withdrawalAt('0x01')).toEqual(paid);
    expect(places.withdrawalAt('0x02')).toBeUndefined();
  }
});

test('places: at their bound the new replace the old, and older blocks get no room', () => {
  const places = createPlaces(3);
  const take = (...indexes: number[]): void =>
    places.take({ places: indexes.map((index) => depositAt(index)), terms: undefined });
  take(10, 11, 12);
  take(2);
  expect(places.depositAt(2)).toBeUndefined();
  take(13);
  expect([10, 11, 12, 13].map((index) => places.depositAt(index)?.block)).toEqual([
    ...[undefined, 11, 12, 13],
  ]);
});

test('places: the terms stay until others are read', () => {
  const places = createPlaces();
  expect(places.terms()).toBeNull();
  places.take({ places: [], terms });
  places.take({ places: [], terms: undefined });
  expect(places.terms()).toEqual(terms);
});
