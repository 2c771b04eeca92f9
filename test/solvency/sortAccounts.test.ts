// The order of a tree's addresses, compared with a sort by their text.

import { describe, expect, test } from 'vitest';
import { sortAccounts } from '../../src/solvency/sortAccounts.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';

/** Addresses whose first bytes are equal, and whose next ones have few values. */
function drawAccounts(count: number, equalBytes: number, values: number): Buffer {
  const prng = createPrng(count + equalBytes);
  const accounts = Buffer.alloc(20 * count);
  for (let at = 0; at < count; at += 1) {
    for (let byte = equalBytes; byte < 16; byte += 1) {
      accounts[20 * at + byte] = prng.below(values);
    }
    // None is there twice.
    accounts.writeUInt32BE((at * 0x9e3779b1) >>> 0, 20 * at + 16);
  }
  return accounts;
}

const hexOf = (accounts: Buffer, place: number): string =>
  accounts.toString('hex', 20 * place, 20 * place + 20);

describe('VLT-8 the order of addresses', () => {
  test.each([
    [0, 0, 256],
    [1, 0, 256],
    [33, 0, 256],
    [5000, 0, 256],
    [5000, 0, 2],
    [5000, 15, 256],
    [5000, 16, 256],
  ])('%i addresses, %i first bytes equal, %i values of a byte', (count, equalBytes, values) => {
    const accounts = drawAccounts(count, equalBytes, values);
    const all = Array.from({ length: count }, (_, at) => hexOf(accounts, at));
    const found = finish(sortAccounts(accounts));
    expect([...found].map((place) => all[place])).toEqual(all.sort());
  });

  test('many equal addresses are a fault, and few stand side by side', () => {
    expect(() => finish(sortAccounts(Buffer.alloc(20 * 40)))).toThrow('no wallet is there twice');
    expect([...finish(sortAccounts(Buffer.alloc(20 * 3)))].sort()).toEqual([0, 1, 2]);
  });

  test('a step moves few of them, whatever they are', () => {
    const counts = [0, 16].map((equalBytes) => {
      const accounts = drawAccounts(100_000, equalBytes, 256);
      return [...sortAccounts(accounts)].length;
    });
    // Each of at least two bytes moves all of them three times.
    for (const count of counts) expect(count).toBeGreaterThan((6 * 100_000) / 600);
  });
});
