// Engines on their way from one data directory to another. Goal: what is kept is the engine of that
// hash and lies in its folder, whatever bytes come.

import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { keepPackedEngine, packEngine } from '../../src/replica/packedEngine.ts';
import { keepChangedEngine, otherToken } from '../fixtures/changedEngine.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

test('an engine that was packed is kept elsewhere and runs; what is not that engine is refused', async () => {
  using from = createTemporaryDirectory();
  using to = createTemporaryDirectory();
  const { hash } = (await keepChangedEngine(from.path, [otherToken])).present;
  await keepPackedEngine(to.path, hash, packEngine(from.path, hash));
  expect(readdirSync(to.path)).toEqual([hash]);
  const engine = openKeptEngines(to.path).of(hash);
  expect(engine.stateHash(engine.createExchange(1))).toMatch(/^[0-9a-f]+$/);
  // A second time it stays.
  await keepPackedEngine(to.path, hash, packEngine(from.path, hash));
  await refuseBad(from.path, hash);
});

/** A damaged engine is not packed, and bytes that are not the engine are not kept. */
async function refuseBad(kept: string, hash: string): Promise<void> {
  using to = createTemporaryDirectory();
  const packed = packEngine(kept, hash);
  const json = (value: unknown): Buffer => zstdCompressSync(JSON.stringify(value));
  const bad = [
    Buffer.alloc(0),
    Buffer.from('nothing'),
    packed.subarray(0, packed.length - 9),
    json(null),
    json([]),
    json({ 'engine/engine.ts': 7 }),
    json({ 'engine/engine.ts': 'export const engine = {};' }),
    json({ 'engine/../../../outside.ts': '' }),
    json({ '../outside.ts': '' }),
    json({ 'engine/engine.js': '' }),
    zstdCompressSync(Buffer.alloc(65 * 1024 * 1024)),
  ];
  for (const bytes of bad) {
    await expect(keepPackedEngine(to.path, hash, bytes)).rejects.toThrow('came damaged');
  }
  await expect(keepPackedEngine(to.path, 'ab'.repeat(32), packed)).rejects.toThrow('came damaged');
  expect(readdirSync(to.path)).toEqual([]);
  expect(existsSync(join(to.path, '../outside.ts'))).toBe(false);
  appendFileSync(join(kept, hash, 'engine/limits.ts'), 'export const more = 1;');
  expect(() => packEngine(kept, hash)).toThrow('is damaged');
}
