// Trees at the first batch of each stretch (VLT-8): all replicas make the same ones, each is
// published whole or not at all, what a file says is never signed, and trees of others are judged.

import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import {
  claimOf,
  createTreeMaker,
  type TreeClaim,
  type TreeMaker,
} from '../../src/solvency/createTreeMaker.ts';
import { listTrees } from '../../src/solvency/writeTree.ts';
import { must } from '../../src/std/assert.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Money, Time } from '../../src/units/units.ts';
import { bindVaultCommand, nextDeposit } from '../engine/depositChain.ts';
import { createMemoryDisk, type MemoryDisk } from '../log/memoryDisk.ts';

const directory = '/data/trees';
const hour = 3_600_000;
const begun = 500_000 * hour;
const wallet = (at: number): string => `0x${String(at).padStart(40, '0')}`;

/** A log: its batches come one by one, with times that the test chooses. */
class World {
  readonly exchange: Exchange = createExchange(43113);
  position = 0;
  time = begun;
  now = 0;
  readonly reports: string[] = [];
  readonly disk: MemoryDisk;
  readonly makers: TreeMaker[] = [];

  constructor(disk = createMemoryDisk()) {
    this.disk = disk;
    beginBatch(this.exchange, this.time as Time);
    applyCommand(this.exchange, bindVaultCommand, 0 as Time);
    this.deposit(1, 100);
  }

  open(isPublished = true): TreeMaker {
    const maker = createTreeMaker({
      place: isPublished ? { disk: this.disk, directory } : undefined,
      ...{ chainId: 43113, intervalMs: hour, clock: { now: () => this.now } },
      report: (message) => void this.reports.push(message),
    });
    maker.begin(this);
    this.makers.push(maker);
    return maker;
  }

  deposit(at: number, units: number): void {
    applyCommand(this.exchange, nextDeposit(this.exchange, wallet(at), units), 0 as Time);
    this.exchange.events = [];
  }

  batch(ms: number): void {
    this.position += 1;
    this.time += ms;
    const { exchange, position, time } = this;
    for (const maker of this.makers) {
      const batchHash = hash('sha256', `batch ${position}`);
      finish(maker.passed({ exchange, position, time, batchHash }));
    }
  }
}

const finishAll = (maker: TreeMaker): void => {
  while (maker.work(Number.POSITIVE_INFINITY)) {}
};

function made(world: World, maker: TreeMaker, ms = hour): TreeClaim {
  world.batch(ms);
  finishAll(maker);
  return must(maker.newest(), 'a stretch has begun');
}

test('each stretch has one tree, and another replica makes the same with or without files', () => {
  const world = new World();
  const [maker, peer] = [world.open(), world.open(false)];
  const other = new World();
  const third = other.open(false);
  world.batch(10);
  expect(maker.work(0)).toBe(false);
  expect(maker.newest()).toBeUndefined();
  const first = made(world, maker);
  other.batch(10);
  expect(made(other, third)).toEqual(first);
  finishAll(peer);
  expect(peer.newest()).toEqual(first);
  // Later batches of the stretch have none.
  world.batch(hour / 2);
  world.deposit(2, 7);
  finishAll(maker);
  expect(maker.newest()).toBe(first);
  const second = made(world, maker, hour);
  expect([first.sum, second.sum, second.position]).toEqual([100n, 107n, 4]);
  const place = { disk: world.disk, directory };
  expect(listTrees(place)).toEqual([2, 4]);
  const bytes = world.disk.bytesOf(`${directory}/tree-000000000004.txt`);
  expect(hash('sha256', bytes)).toBe(second.fileHash);
  expect([maker.judge(first), maker.judge(second)]).toEqual(['right', 'right']);
  expect(peer.judge(second)).toBe('later');
});

test('trees of others are judged', () => {
  const world = new World();
  world.batch(hour);
  const maker = world.open();
  const claim = made(world, maker);
  for (const change of [
    ...[{ root: '7'.repeat(64) }, { sum: 99n }, { deficit: 1n }, { leaves: 3 }, { withdrawn: 1n }],
    ...[{ depositCount: 2 }, { fileHash: '7'.repeat(64) }, { batchHash: '7'.repeat(64) }],
  ]) {
    expect(maker.judge({ ...claim, ...change }), JSON.stringify(Object.keys(change))).toBe('wrong');
  }
  expect(maker.judge({ ...claim, position: 3 })).toBe('ahead');
  expect(maker.judge({ ...claim, position: 2 ** 64 })).toBe('ahead');
  world.batch(10);
  expect(maker.judge({ ...claim, position: 3 })).toBe('wrong');
  // Before its start it cannot know.
  expect(maker.judge({ ...claim, position: 1 })).toBe('unknown');
  world.batch(hour);
  expect(maker.judge({ ...claim, position: 4 })).toBe('later');
});

test('what a file says serves proofs and is not signed', () => {
  const world = new World();
  const claim = made(world, world.open());
  world.batch(10);
  const again = world.open();
  finishAll(again);
  expect(again.newest()).toBeUndefined();
  expect(again.judge(claim)).toBe('filed');
  expect(again.judge({ ...claim, sum: 1n })).toBe('wrong');
  const proved = must(again.prove(wallet(1)), 'there is a tree');
  expect(proved.proof?.leaf.units).toBe(100n);
  expect(claimOf(proved)).toEqual(claim);
  expect(again.prove(wallet(2))?.proof).toBeNull();
  expect(world.open(false).prove(wallet(1))).toBeUndefined();
});

test('a damaged file is reported, and the next stretch has its tree', () => {
  const world = new World();
  made(world, world.open());
  world.disk.replace(`${directory}/tree-000000000001.txt`, Buffer.from('{}\n'));
  const again = world.open();
  finishAll(again);
  expect(world.reports).toEqual([
    'the tree of batch 1 cannot be read: its first line is no head of format 1',
  ]);
  expect(again.prove(wallet(1))).toBeUndefined();
  expect(made(world, again).position).toBe(2);
  expect(again.prove(wallet(1))?.proof?.leaf.units).toBe(100n);
});

test('a proof is of what the root says, or there is none', () => {
  const world = new World();
  const maker = world.open();
  const first = made(world, maker);
  maker.keep(first.position);
  world.deposit(2, 7);
  made(world, maker);
  const path = `${directory}/tree-000000000001.txt`;
  const bytes = world.disk.bytesOf(path);
  bytes.write('9', bytes.indexOf(',100,') + 1);
  // It goes on with the newest one.
  expect(maker.prove(wallet(1))?.head.position).toBe(2);
  expect(maker.prove(wallet(2))?.proof?.leaf.units).toBe(7n);
  expect(world.reports).toEqual([
    'the tree of batch 1 proves nothing any more: the rows from 1 on do not make its root',
  ]);
  // A file that is removed is open still, until it is closed.
  world.disk.remove(`${directory}/tree-000000000002.txt`);
  expect(maker.prove(wallet(2))?.proof?.leaf.units).toBe(7n);
  maker.close();
  expect(maker.prove(wallet(2))).toBeUndefined();
});

test('a replica that reads many stretches makes the last one, a slow one lets some out', () => {
  const world = new World();
  const maker = world.open();
  for (let at = 0; at < 5; at += 1) {
    world.batch(hour);
    maker.work(0);
  }
  finishAll(maker);
  const claim = must(maker.newest(), 'the last stretch has one');
  expect(claim.position).toBe(5);
  expect(maker.judge({ ...claim, position: 4 })).toBe('unknown');
  world.batch(hour);
  world.now += hour / 2;
  world.batch(hour);
  finishAll(maker);
  expect(maker.newest()?.position).toBe(6);
  expect(maker.judge({ ...claim, position: 7 })).toBe('unknown');
  expect(world.reports).toEqual([]);
});

test('a tree needs room until it is made, and for 20 seconds at most', () => {
  const world = new World();
  const maker = world.open();
  expect(maker.needsRoom()).toBe(false);
  world.batch(hour);
  expect(maker.needsRoom()).toBe(true);
  finishAll(maker);
  expect(maker.needsRoom()).toBe(false);
  world.batch(hour);
  world.now += 19_999;
  expect(maker.needsRoom()).toBe(true);
  world.now += 1;
  expect(maker.needsRoom()).toBe(false);
  // The file of an earlier process is read whenever there is time.
  const again = world.open();
  expect(again.needsRoom()).toBe(false);
  finishAll(again);
  expect(again.prove(wallet(1))?.proof?.leaf.units).toBe(100n);
});

test('a day of files stays, and the one that the vault names, also after a start', () => {
  const world = new World();
  const maker = world.open();
  made(world, maker);
  maker.keep(1);
  // What a signer looks at is not what the vault names.
  for (let at = 0; at < 30; at += 1) expect(maker.judge(made(world, maker))).toBe('right');
  const place = { disk: world.disk, directory };
  const newest = Array.from({ length: 24 }, (_, at) => 8 + at);
  expect(listTrees(place)).toEqual([1, ...newest]);
  const again = world.open();
  finishAll(again);
  world.deposit(2, 7);
  made(world, again);
  expect(listTrees(place)).toEqual([1, ...newest.slice(1), 32]);
  // Proofs are of the tree that the vault names, and of the next one once it names that.
  expect(again.prove(wallet(1))?.head.position).toBe(1);
  expect(again.prove(wallet(2))?.proof).toBeNull();
  again.keep(32);
  expect(again.prove(wallet(2))?.proof?.leaf.units).toBe(7n);
});

test('whenever the disk dies, a file is whole or is not there', () => {
  const whole = new World();
  const claim = made(whole, whole.open());
  const bytes = whole.disk.bytesOf(`${directory}/tree-000000000001.txt`);
  let isMade = false;
  for (let budget = 0; !isMade; budget += 7) {
    const world = new World();
    const maker = world.open();
    world.disk.budget = budget;
    world.batch(hour);
    finishAll(maker);
    isMade = maker.newest() !== undefined;
    expect(world.reports).toHaveLength(isMade ? 0 : 1);
    if (!isMade) expect(maker.judge(claim)).toBe('unknown');
    world.disk.losePower(createPrng(budget));
    const [name] = listTrees({ disk: world.disk, directory });
    expect(name).toBe(isMade ? 1 : name);
    if (name !== undefined) {
      expect(world.disk.bytesOf(`${directory}/tree-000000000001.txt`)).toEqual(bytes);
    }
  }
});

test.each(['writeAt', 'syncData'] as const)(
  'a disk that is full in %s has no tree, keeps no half of one, and has the next one',
  (name) => {
    const memory = createMemoryDisk();
    let isFull = true;
    const full: MemoryDisk[typeof name] = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    const disk = new Proxy(memory, {
      get: (target, key) => (isFull && key === name ? full : Reflect.get(target, key)),
    });
    const world = new World(disk);
    const maker = world.open();
    world.batch(hour);
    finishAll(maker);
    expect(world.reports).toEqual([
      'the tree of batch 1 cannot be made: ENOSPC: no space left on device, write',
    ]);
    expect(maker.newest()).toBeUndefined();
    expect(memory.list(directory)).toEqual([]);
    isFull = false;
    expect(made(world, maker).position).toBe(2);
    expect(memory.list(directory)).toEqual(['tree-000000000002.txt']);
    expect(world.reports).toHaveLength(1);
  },
);

test('BAL-2 money that was made stops the replica', () => {
  const world = new World();
  world.open();
  const trader = must(world.exchange.accounts[1], 'it has deposited');
  trader.available = (trader.available + 1) as Money;
  expect(() => world.batch(hour)).toThrow('BAL-2');
});

test('a wallet with 2^64 units ends trees with a report, and the log goes on', () => {
  const world = new World();
  const maker = world.open();
  const first = made(world, maker);
  // Each deposit has the largest amount that the vault takes.
  for (let i = 0; i < 2050; i += 1) world.deposit(1, 2 ** 53 - 1);
  world.batch(hour);
  finishAll(maker);
  expect(world.reports).toEqual([
    `the tree of batch ${world.position} cannot be made: ` +
      'an address is owed or was paid 2^64 units or more',
  ]);
  expect(maker.newest()).toEqual(first);
  expect(maker.judge({ ...first, position: world.position })).toBe('unknown');
});
