// Packs the sources of a released engine into one file, so that the tests can upgrade from it
// (test/fixtures/releasedEngine.ts). Comments and indentation are left out: they do not count in
// the engine's hash, and the file is a third smaller. A release whose snapshots get another format
// packs the engine before it:
//
//   git archive COMMIT src/std src/units src/engine | tar x -C DIRECTORY
//   node scripts/node24.mjs scripts/packEngine.ts DIRECTORY/src \
//     test/fixtures/engines/formatN.json.gz

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashEngineSources } from '../src/replica/keptEngines.ts';

const wholeLineComments = /^[ \t]*(?:\/\/.*|\/\*\*[\s\S]*?\*\/[ \t]*)\n/gm;

const withoutComments = (text: string): string =>
  text.replace(wholeLineComments, '').replace(/^\s+/gm, '');

/** By name below the root, sorted, so that the same sources give the same file. */
function readTexts(root: string): Record<string, string> {
  const names = ['std', 'units', 'engine'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const texts = names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
  return Object.fromEntries(texts.map(([name, text]) => [name, withoutComments(text)]));
}

/** The hash of the engine that these texts are. */
function hashOf(texts: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'evermark-'));
  try {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return hashEngineSources(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const [root, path] = process.argv.slice(2);
if (root === undefined || path === undefined) throw new Error('packEngine SOURCES FILE');
const texts = readTexts(root);
const hash = hashEngineSources(root);
if (hashOf(texts) !== hash) throw new Error('without comments the sources are another engine');
const packed = gzipSync(JSON.stringify(texts), { level: 9 });
writeFileSync(path, packed);
process.stdout.write(`${path}: engine ${hash}, ${packed.length} bytes\n`);
