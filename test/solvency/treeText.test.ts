// The published file of a tree: read again it is the same tree, and a changed one is refused, so
// that a user who checks the hash of the file and the root has checked all of it (VLT-8).

import { describe, expect, test } from 'vitest';
import type { Liabilities } from '../../src/engine/views/liabilities.ts';
import { openTree } from '../../src/solvency/openTree.ts';
import { climbTree } from '../../src/solvency/sumTree.ts';
import { bytesOf, growTree, proveWallet, type Tree } from '../../src/solvency/tree.ts';
import { TreeDamaged } from '../../src/solvency/treeDamaged.ts';
import { growFromFile, treeText } from '../../src/solvency/treeText.ts';
import { publishTree, readTree, writeTree } from '../../src/solvency/writeTree.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';
import { walletsIn } from '../fixtures/readOwed.ts';
import { createMemoryDisk } from '../log/memoryDisk.ts';

const place = {
  ...{ chainId: 43113, vault: `0x${'ab'.repeat(20)}`, position: 77 },
  ...{ batchHash: '5c'.repeat(32), time: 1_760_000_000_000 },
};

/** Wallets in any order; some share their first bytes. */
function drawOwed(count: number): Liabilities {
  const prng = createPrng(count);
  const digits = (length: number): string =>
    Array.from({ length }, () => '0123456789abcdef'[prng.below(16)]).join('');
  const wallets = Array.from(
    { length: count },
    (_, at) => `0x${at % 3 === 0 ? 'abcd' : digits(4)}${digits(36)}`,
  );
  const accounts = Buffer.concat(wallets.map(bytesOf));
  const draw = (): bigint => BigInt(prng.below(2 ** 31)) * BigInt(prng.below(2 ** 20));
  const units = BigUint64Array.from(wallets, draw);
  const withdrawn = BigUint64Array.from(wallets, () => BigInt(prng.below(2 ** 31)) << 30n);
  const sum = units.reduce((all, each) => all + each, 0n);
  const withdrawnTotal = withdrawn.reduce((all, each) => all + each, 0n);
  const deficit = 9n;
  const depositTotal = sum + withdrawnTotal - deficit;
  return { accounts, units, withdrawn, deficit, depositCount: 5, depositTotal, withdrawnTotal };
}

const treeOf = (owed: Liabilities): Tree => finish(growTree(place, owed));
const textOf = (tree: Tree): string => [...treeText(tree)].join('');
const read = (text: string): Tree => finish(growFromFile(Buffer.from(text)));

test.each([1, 2, 3, 50, 2000])('a file of %i wallets is the same tree again', (count) => {
  const owed = drawOwed(count);
  const tree = treeOf(owed);
  const again = read(textOf(tree));
  expect(again.head).toEqual(tree.head);
  expect(textOf(again)).toBe(textOf(tree));
  for (const [at, wallet] of walletsIn(owed.accounts).entries()) {
    const { leaf, siblings } = proveWallet(again, wallet)!;
    expect([leaf.units, leaf.withdrawn]).toEqual([owed.units[at], owed.withdrawn[at]]);
    // Between threads a view is copied with all that it is a view of.
    expect([leaf.account.buffer.byteLength, leaf.salt.buffer.byteLength]).toEqual([20, 32]);
    const top = climbTree(leaf, siblings);
    expect(Buffer.from(top.root).toString('hex')).toBe(tree.head.root);
    expect(top.sum).toBe(tree.head.sum);
  }
  for (const other of ['00', 'ab', 'ff']) {
    expect(proveWallet(again, `0x${other.repeat(20)}`)).toBeUndefined();
  }
});

test.each([1, 2, 15, 16, 17, 32, 2000])(
  'a file of %i wallets proves each from a block',
  (count) => {
    const owed = drawOwed(count);
    const files = { disk: createMemoryDisk(), directory: '/trees' };
    const tree = treeOf(owed);
    const filed = finish(writeTree(files, tree));
    publishTree(files, place.position);
    const again = finish(readTree(files, place.position));
    expect(again).toEqual(filed);
    const open = openTree(files, filed);
    for (const wallet of walletsIn(owed.accounts)) {
      expect(open.prove(wallet)).toEqual(proveWallet(tree, wallet));
    }
    for (const other of ['00', 'ab', 'ff']) {
      expect(open.prove(`0x${other.repeat(20)}`)).toBeUndefined();
    }
  },
);

describe('a file is refused', () => {
  const text = textOf(treeOf(drawOwed(4)));
  const lines = text.split('\n');
  const [head, first, second] = lines as [string, string, string];
  const units = first.split(',')[1]!;
  const changed = (name: string, value: unknown): string =>
    text.replace(head, JSON.stringify({ ...JSON.parse(head), [name]: value }));
  test.each([
    ['that is empty', '', 'no JSON object'],
    ['without its head', lines.slice(1).join('\n'), 'no JSON object'],
    ['of another format', changed('format', 2), 'no head of format 1'],
    ['with more rows in its head', changed('leaves', 5), 'row 5 cannot be read'],
    ['with far more rows in its head', changed('leaves', 2 ** 40), 'does not have'],
    ['with fewer rows in its head', changed('leaves', 3), 'more than 3 rows'],
    ['without rows', `${JSON.stringify({ ...JSON.parse(head), leaves: 0 })}\n`, 'has leaves'],
    [
      'with a lowered amount',
      text.replace(`,${units},`, `,${BigInt(units) - 1n},`),
      'what is owed',
    ],
    [
      'with a lowered sum',
      changed('sum', String(BigInt(JSON.parse(head).sum) - 1n)),
      'do not make the root',
    ],
    ['with another root', changed('root', `0x${'7'.repeat(64)}`), 'do not make the root'],
    ['of another batch', changed('log_hash', `0x${'7'.repeat(64)}`), 'do not make the root'],
    ['with a wallet twice', text.replace(second, first), 'ascend'],
    [
      'with wallets out of order',
      text.replace(`${first}\n${second}`, `${second}\n${first}`),
      'ascend',
    ],
    ['with an amount beyond 64 bits', text.replace(`,${units},`, `,${2n ** 64n},`), '64 bits'],
    ['with an amount that is none', text.replace(`,${units},`, ',-1,'), 'row 1 cannot be read'],
    ['with a wallet in capitals', text.replace(first, first.toUpperCase()), 'row 1 cannot be read'],
    ['without its last line feed', text.slice(0, -1), 'row 4 cannot be read'],
    ['with more behind its rows', `${text}more`, 'more than 4 rows'],
    ['with a text for an amount', changed('deposits', 'many'), '"deposits"'],
    ['with a number for an amount', changed('deficit', 9), '"deficit"'],
    ['with a fraction', changed('log_position', 1.5), '"log_position"'],
  ])('%s', (_, spoilt, why) => {
    expect(spoilt).not.toBe(text);
    expect(() => read(spoilt)).toThrow(TreeDamaged);
    expect(() => read(spoilt)).toThrow(why);
  });
});

test('amounts that do not add up make no tree', () => {
  const owed = drawOwed(3);
  const lower = { ...owed, units: owed.units.with(0, owed.units[0]! - 1n) };
  expect(() => treeOf(lower)).toThrow('what is owed and what was paid');
  const accounts = Buffer.from(owed.accounts);
  accounts.copy(accounts, 20, 0, 20);
  const twice = { ...owed, accounts };
  expect(() => treeOf(twice)).toThrow('ascend');
});
