// Trees made by a process of its own (VLT-8): they are those of this thread to the byte, its death,
// silence and nonsense lead to a second one or to an error, and it does not outlive the exchange.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { Liabilities } from '../../src/engine/views/liabilities.ts';
import { createTreeMaker } from '../../src/solvency/createTreeMaker.ts';
import { createTreeProcess } from '../../src/solvency/createTreeProcess.ts';
import { type Growing, growHere, type TreeGrower } from '../../src/solvency/treeGrower.ts';
import { createFrameReader } from '../../src/solvency/treeMessage.ts';
import { type FiledTree, listTrees, publishTree } from '../../src/solvency/writeTree.ts';
import { systemClock } from '../../src/std/clock.ts';
import { fileDisk } from '../../src/std/disk.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { publishedWorld } from './publishedWorld.ts';

const source = (name: string): string =>
  pathToFileURL(join(import.meta.dirname, '../../src/solvency', name)).href;
const at = {
  ...{ chainId: 43113, vault: `0x${'ab'.repeat(20)}`, position: 7 },
  ...{ batchHash: '5c'.repeat(32), time: 1_760_000_000_000 },
};
const far = 3_600_000;

function drawOwed(count: number): Liabilities {
  const prng = createPrng(count);
  const accounts = Buffer.from(Array.from({ length: 20 * count }, () => prng.below(256)));
  const units = new BigUint64Array(count).fill(5n);
  const withdrawn = new BigUint64Array(count).fill(2n);
  const sums = { depositTotal: 7n * BigInt(count) - 3n, withdrawnTotal: 2n * BigInt(count) };
  return { accounts, units, withdrawn, deficit: 3n, depositCount: 4, ...sums };
}

type Stage = {
  readonly path: string;
  readonly directory: string;
  readonly grower: TreeGrower;
  readonly reports: string[];
  readonly clock: { ms: number };
  /** What a bad program has left. */
  readonly noted: (name: string) => string;
  [Symbol.dispose](): void;
};

/** The first process runs `first`, and the second one the real program, unless it is `always`. */
function openStage(first = '', always = false): Stage {
  const temporary = createTemporaryDirectory();
  const { path } = temporary;
  const directory = join(path, 'trees');
  const program = join(path, 'program.mjs');
  const real = `await import(${JSON.stringify(source('treeProgram.ts'))});`;
  const noting = `import fs from 'node:fs';
    const note = (name, value) => {
      const to = ${JSON.stringify(path)} + '/' + name;
      // A file that is there is whole.
      fs.writeFileSync(to + '.new', String(value));
      fs.renameSync(to + '.new', to);
    };
    note('pid', process.pid);`;
  const isBad = always ? 'true' : `process.argv.includes('--lowest')`;
  writeFileSync(program, `${noting}\nif (${isBad}) {\n${first || real}\n} else {\n${real}\n}\n`);
  const reports: string[] = [];
  const clock = { ms: 0 };
  const grower = createTreeProcess({
    ...{ directory, clock: { now: () => clock.ms }, patienceMs: 1000, program },
    ...{ wake: () => {}, report: (message: string) => void reports.push(message) },
  });
  return {
    ...{ path, directory, grower, reports, clock },
    noted: (name) => readFileSync(join(path, name), 'utf8'),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

async function grown(growing: Growing): Promise<FiledTree> {
  let found: FiledTree | undefined;
  await expect
    .poll(() => {
      const step = growing.step(0);
      if (typeof step !== 'string') found = step;
      return typeof step;
    })
    .not.toBe('string');
  return found!;
}

/** Why there is none. */
async function failure(growing: Growing): Promise<string> {
  let why = '';
  await expect
    .poll(() => {
      try {
        return growing.step(0);
      } catch (error) {
        why = (error as Error).message;
        return why;
      }
    })
    .not.toBe('waiting');
  return why;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const bytesIn = (directory: string): Buffer => readFileSync(join(directory, 'tree.new'));

test.each([1, 2, 16, 17, 3000])('a tree of %i wallets is that of this thread', async (count) => {
  using stage = openStage();
  using other = openStage();
  const owed = drawOwed(count);
  const place = { disk: fileDisk, directory: other.directory };
  const own = growHere(place, systemClock)
    .make(at, owed)
    .step(far + systemClock.now());
  const filed = await grown(stage.grower.make(at, owed));
  expect(filed).toEqual(own);
  expect(bytesIn(stage.directory)).toEqual(bytesIn(other.directory));
  // It is published by its caller alone, and read again it is the same.
  expect(readdirSync(stage.directory)).toEqual(['tree.new']);
  publishTree({ disk: fileDisk, directory: stage.directory }, 7);
  expect(await grown(stage.grower.read(7))).toEqual(own);
  expect(stage.reports).toEqual([]);
});

/** A program that answers with a tree of which it has changed something. */
const lying = (change: string): string => `
  const { createFrameReader, readTask, writeAnswer } = await import(${JSON.stringify(source('treeMessage.ts'))});
  const { makeTree } = await import(${JSON.stringify(source('treeGrower.ts'))});
  const { finish } = await import(${JSON.stringify(source('../std/finish.ts'))});
  const read = createFrameReader(2 ** 40);
  process.stdin.on('data', (chunk) => {
    const frame = read(chunk);
    if (frame === undefined) return;
    const { at, owed } = readTask(frame);
    const make = (at, owed) => finish(makeTree(undefined, at, owed));
    process.stdout.write(Buffer.concat(writeAnswer(${change})));
  });`;

describe('the tree is made once more after a process', () => {
  test.each([
    ['that is killed', `process.kill(process.pid, 'SIGKILL');`, 'SIGKILL'],
    ['that fails', `throw new Error('no memory');`, 'no memory'],
    ['that ends without an answer', 'process.exit(0);', 'it ended with 0'],
    ['that dies before it has the task', `process.stdin.destroy(); process.exit(3);`, 'with 3'],
    ['that says anything', `console.log('x'.repeat(64)); setInterval(() => {}, 1e6);`, 'announces'],
    [
      'that announces too much',
      `const b = Buffer.alloc(16); b.writeDoubleLE(2, 0); b.writeDoubleLE(2 ** 40, 8);
       process.stdout.write(b); setInterval(() => {}, 1e6);`,
      'announces',
    ],
    [
      'whose answer is no object',
      `const b = Buffer.alloc(17, '7'); b.writeDoubleLE(1, 0); b.writeDoubleLE(0, 8);
       process.stdout.write(b); setInterval(() => {}, 1e6);`,
      'no JSON object',
    ],
    ['with another batch', lying('make({ ...at, position: 8 }, owed)'), 'its position differs'],
    ['with another salt', lying(`make({ ...at, batchHash: '7'.repeat(64) }, owed)`), 'batchHash'],
    [
      'with other amounts',
      lying(`make(at, { ...owed, units: owed.units.map((each) => each + 1n),
        depositTotal: owed.depositTotal + BigInt(owed.units.length) })`),
      'deposits differs',
    ],
    [
      'with another root',
      lying(
        `((tree) => ({ ...tree, head: { ...tree.head, root: '7'.repeat(64) } }))(make(at, owed))`,
      ),
      'do not make its root',
    ],
    [
      'with a part of the index',
      lying(
        `((tree) => ({ ...tree, index: { ...tree.index, starts: tree.index.starts.slice(1) } }))(make(at, owed))`,
      ),
      'a list is too short',
    ],
  ])('%s', async (_, first, why) => {
    using stage = openStage(first);
    const owed = drawOwed(300);
    const filed = await grown(stage.grower.make(at, owed));
    expect(filed).toEqual(
      growHere(undefined, systemClock)
        .make(at, owed)
        .step(far * 1e6),
    );
    expect(stage.reports).toHaveLength(1);
    expect(stage.reports[0]).toContain('the process for the tree of batch 7 is started again');
    expect(stage.reports[0]).toContain(why);
  });

  test('that hangs, which is ended', async () => {
    using stage = openStage(`note('hangs', process.pid); setInterval(() => {}, 1e6);`);
    const growing = stage.grower.make(at, drawOwed(300));
    await expect.poll(() => existsSync(join(stage.path, 'hangs'))).toBe(true);
    stage.clock.ms += 999;
    expect(growing.step(0)).toBe('waiting');
    expect(stage.reports).toEqual([]);
    stage.clock.ms += 1;
    const filed = await grown(growing);
    expect(filed.head.leaves).toBe(300);
    expect(stage.reports[0]).toContain('it took 1000 ms');
    await expect.poll(() => isAlive(Number(stage.noted('hangs')))).toBe(false);
  });
});

test('there is no tree when the second process fails, too', async () => {
  using stage = openStage(`process.kill(process.pid, 'SIGKILL');`, true);
  expect(await failure(stage.grower.make(at, drawOwed(3)))).toContain('SIGKILL');
  expect(stage.reports).toHaveLength(1);
});

test('a disk that takes no file is no reason for another process', async () => {
  using stage = openStage();
  writeFileSync(stage.directory, 'a file');
  expect(await failure(stage.grower.make(at, drawOwed(3)))).toMatch(/ENOTDIR|EEXIST/);
  expect(await failure(stage.grower.read(7))).toMatch(/ENOTDIR|ENOENT/);
  expect(stage.reports).toEqual([]);
});

test('a tree that is not wanted any more leaves no process and no file', async () => {
  using stage = openStage('setInterval(() => {}, 1e6);');
  const growing = stage.grower.make(at, drawOwed(3));
  await expect.poll(() => existsSync(join(stage.path, 'pid'))).toBe(true);
  growing.stop();
  await expect.poll(() => isAlive(Number(stage.noted('pid')))).toBe(false);
  expect(existsSync(stage.directory)).toBe(false);
});

test('it has no setting of the exchange, and the lowest priority with all threads', async () => {
  vi.stubEnv('EVERMARK_MASTER_KEY', 'secret');
  using stage = openStage(`
    note('environment', JSON.stringify(Object.keys(process.env)));
    await import(${JSON.stringify(source('treeProgram.ts'))});
    note('niceness', process.platform !== 'linux' ? '19' : fs.readdirSync('/proc/self/task').map((task) => {
      const stat = fs.readFileSync('/proc/self/task/' + task + '/stat', 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16];
    }));`);
  await grown(stage.grower.make(at, drawOwed(3)));
  vi.unstubAllEnvs();
  expect(stage.noted('environment')).not.toContain('EVERMARK');
  expect(new Set(stage.noted('niceness').split(','))).toEqual(new Set(['19']));
});

test('it does not outlive an exchange that is killed, and publishes nothing', async () => {
  using stage = openStage();
  const exchange = join(stage.path, 'exchange.mjs');
  const program = JSON.stringify(join(stage.path, 'program.mjs'));
  // Its task never ends, so that it is alive when its parent dies.
  writeFileSync(
    exchange,
    `import { spawn } from 'node:child_process';
     spawn(process.execPath, [${program}, '--lowest'], { stdio: ['pipe', 'pipe', 'inherit'] });
     setInterval(() => {}, 1e6);`,
  );
  const parent = spawn(process.execPath, [exchange], { stdio: 'ignore' });
  await expect.poll(() => existsSync(join(stage.path, 'pid'))).toBe(true);
  const pid = Number(stage.noted('pid'));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(stage.directory)).toBe(false);
});

test('a replica whose process is killed publishes the tree of the second one, whole', async () => {
  using stage = openStage(`process.kill(process.pid, 'SIGKILL');`);
  const place = { disk: fileDisk, directory: stage.directory };
  const { exchange, wallet } = publishedWorld();
  const maker = createTreeMaker({
    ...{ place, chainId: exchange.chainId, intervalMs: 1000, clock: systemClock },
    ...{ grower: stage.grower, report: (message) => void stage.reports.push(message) },
  });
  maker.begin({ position: 0, time: 0 });
  const batchHash = '5c'.repeat(32);
  finish(maker.passed({ exchange, position: 1, time: 1000, batchHash }));
  await expect.poll(() => maker.work(0) || maker.newest()?.position).toBe(1);
  expect(listTrees(place)).toEqual([1]);
  expect(maker.prove(wallet)?.proof?.leaf.units).toBe(100n);
  // The next one is ended in the middle.
  finish(maker.passed({ exchange, position: 2, time: 2000, batchHash }));
  maker.close();
  expect(maker.prove(wallet)).toBeUndefined();
  expect(listTrees(place)).toEqual([1]);
  expect(stage.reports).toHaveLength(1);
});

test('a frame is put together from any pieces, and nothing may follow it', () => {
  const [text, bytes] = [Buffer.from('{"a":1}'), Buffer.from('bytes of a list')];
  const head = Buffer.alloc(16);
  head.writeDoubleLE(text.length, 0);
  head.writeDoubleLE(bytes.length, 8);
  const whole = Buffer.concat([head, text, bytes]);
  for (let size = 1; size <= whole.length; size += 1) {
    const read = createFrameReader(100);
    for (let from = 0; from < whole.length; from += size) {
      const frame = read(whole.subarray(from, from + size));
      expect(frame).toEqual(
        from + size < whole.length ? undefined : { text: text.toString(), bytes },
      );
    }
    expect(() => read(Buffer.from('x'))).toThrow('more follows');
  }
  expect(() => createFrameReader(14)(whole)).toThrow('announces more');
});
