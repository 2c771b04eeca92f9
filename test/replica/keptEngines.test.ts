// Goal: an engine differs when its tokens differ, and only then; what is in the data directory
// of an earlier release is still found and verified. Method: copies of the present sources,
// changed.

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDataDirectory } from '../../src/bin/dataDirectory.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { readActivation } from '../../src/replica/activation.ts';
import { EngineRefused } from '../../src/replica/engines.ts';
import { hashSources, hashSourcesByText, type Source } from '../../src/replica/hashSources.ts';
import {
  checkKept,
  hashEngineSources,
  keepEngine,
  openKeptEngines,
} from '../../src/replica/keptEngines.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { moreTokens } from '../fixtures/changedEngine.ts';
import { openFileReplica, testChain } from '../fixtures/fileReplica.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const src = resolve(import.meta.dirname, '../../src');
const folders = ['std', 'units', 'engine'];

const present: Source[] = folders.flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(src, name), 'utf8') })),
);
const presentHash = hashSources(present);

const changed = (name: string, change: (text: string) => string): Source[] =>
  present.map((source) => (source.name === name ? { name, text: change(source.text) } : source));

/** Moves the file `from` to `to` and changes all imports. */
function renamed(from: string, to: string): Source[] {
  const place = (name: string): string => (name === from ? to : name);
  return present.map(({ name, text }) => {
    const said = text.replace(
      /(?<=(?:from|import) ')\.[^'\n]+(?=')/g,
      (path) => `./${relative(dirname(place(name)), place(join(dirname(name), path)))}`,
    );
    return { name: place(name), text: said };
  });
}

test('the hash of the sources equals that of the program', () => {
  expect(hashEngineSources()).toBe(presentHash);
  expect(presentHash).toMatch(/^[0-9a-f]{64}$/);
});

describe('the same engine:', () => {
  test.each([
    ['another comment', changed('engine/limits.ts', (text) => text.replace('// ', '// Now: '))],
    ['a comment in each file', present.map((s) => ({ ...s, text: `// a\n/* b */${s.text}//c` }))],
    [
      'other white space',
      present.map(({ name, text }) => ({ name, text: text.replaceAll('\n  ', '\n\t \n\t') })),
    ],
    ['other line ends', present.map((s) => ({ ...s, text: s.text.replaceAll('\n', '\r\n') }))],
    ['another name of a file', renamed('engine/book/ladder.ts', 'engine/book/prices.ts')],
    ['another folder', renamed('engine/limits.ts', 'engine/book/limits.ts')],
    ['another order of the files', [...present].reverse()],
  ])('%s', (_, sources) => {
    expect(hashSourcesByText(sources)).not.toBe(hashSourcesByText(present));
    expect(hashSources(sources)).toBe(presentHash);
  });
});

describe('another engine:', () => {
  const limits = 'engine/limits.ts';
  test.each([
    ['another number', changed(limits, (text) => text.replace('2_000_000', '2_000_001'))],
    ['another type', changed(limits, (text) => `${text}type More = number;\n`)],
    ['two statements exchanged', changed(limits, exchangeFirstConstants)],
    ['one file less', present.filter(({ name }) => name !== limits)],
    ['one file more', [...present, { name: 'engine/more.ts', text: '// Only a comment.\n' }]],
    ['one file twice', [...present, { ...present[0]!, name: 'std/again.ts' }]],
    [
      'another file imported under the same names',
      swapNames('engine/operations/credit.ts', 'engine/operations/creditInsurance.ts'),
    ],
  ])('%s', (_, sources) => {
    expect(hashSources(sources)).not.toBe(presentHash);
  });

  test('an engine that loads from another file', () => {
    const [one, other] = ['const a = 1;', 'const b = 2;'];
    const loads = (entry: string, rest: string): string =>
      hashSources([
        { name: 'engine/engine.ts', text: entry },
        { name: 'engine/market.ts', text: rest },
      ]);
    expect(loads(one, other)).not.toBe(loads(other, one));
  });

  test('every token of a file that decides prices changes the hash', () => {
    const name = 'units/mulDiv.ts';
    const { text } = present.find((source) => source.name === name)!;
    const words = [...text.matchAll(/^(?!\s*(?:\/|\*)).*$/gm)].flatMap((line) =>
      [...line[0].replace(/\/\/.*/, '').matchAll(/\w+/g)].map((word) => line.index + word.index),
    );
    expect(words.length).toBeGreaterThan(50);
    const hashes = words.map((at) => {
      const other = `${text.slice(0, at)}Z${text.slice(at)}`;
      return hashSources([{ name: 'engine/engine.ts', text: other }]);
    });
    expect(new Set(hashes).size).toBe(words.length);
  });
});

function exchangeFirstConstants(text: string): string {
  const [first, second] = [...text.matchAll(/^export const \w+ = [\d_]+;$/gm)].map(
    ([line]) => line,
  );
  return text.replace(first!, '@').replace(second!, first!).replace('@', second!);
}

/** The two files change places, and whatever imported one by its name now gets the other. */
function swapNames(one: string, other: string): Source[] {
  const names = new Map([
    [one, other],
    [other, one],
  ]);
  return present.map(({ name, text }) => ({ name: names.get(name) ?? name, text }));
}

test('an engine with other comments is kept once, and the first copy stays', async () => {
  using data = createTemporaryDirectory();
  using other = createTemporaryDirectory();
  for (const folder of folders) {
    cpSync(join(src, folder), join(other.path, folder), { recursive: true });
  }
  const limits = join(other.path, 'engine/limits.ts');
  writeFileSync(limits, `// Another comment.\n${readFileSync(limits, 'utf8')}`);
  const first = await keepEngine(data.path, other.path);
  const second = await keepEngine(data.path);
  expect(second).toBe(first);
  expect(readdirSync(data.path)).toEqual([first]);
  const kept = readFileSync(join(data.path, first, 'engine/limits.ts'), 'utf8');
  expect(kept.startsWith('// Another comment.\n')).toBe(true);
  expect(() => checkKept(data.path, first)).not.toThrow();
});

/** As releases before laid them down: under the hash of names and texts. */
function keepByText(engines: string): string {
  const hash = hashSourcesByText(present);
  for (const { name, text } of present) {
    mkdirSync(dirname(join(engines, hash, name)), { recursive: true });
    writeFileSync(join(engines, hash, name), text);
  }
  writeFileSync(join(engines, hash, 'package.json'), '{ "type": "module" }\n');
  return hash;
}

describe('a data directory with engines named by the hash of their text', () => {
  test('continues with an activation, and the old engine runs its old range', async () => {
    using temporary = createTemporaryDirectory();
    const { engines, log } = makeDataDirectory(temporary.path, testChain);
    const old = keepByText(engines);
    const kept = openKeptEngines(engines, presentHash);
    const oldEngine = kept.of(old);
    expect(oldEngine).not.toBe(kept.present.engine);
    const before = await openFileReplica(temporary.path, {
      engines: { present: { hash: old, engine: oldEngine }, of: kept.of },
    });
    await before.trade(1, 200);
    const figures = before.durable.at(-1)!;
    await before.close();

    expect(await keepEngine(engines)).toBe(presentHash);
    expect(readdirSync(engines).sort()).toEqual([old, presentHash].sort());
    const after = await openFileReplica(temporary.path, { engines: openKeptEngines(engines) });
    await after.trade(2, 100);
    await after.close();
    const activations = [...readBatches(log, 1)].flatMap((batch) => readActivation(batch) ?? []);
    expect(activations).toMatchObject([{ from: old, to: presentHash }]);

    const { state, place } = beginning(testChain, openKeptEngines(engines));
    replayLog(state, place, { log: openLogReader(log), skips: createSkipIndex([]) });
    expect(state.ran).toMatchObject([
      { hash: old, from: 1 },
      { hash: presentHash, from: figures.position + 1 },
    ]);
    expect(state.engine.stateHash(state.exchange)).toBe(
      after.state.engine.stateHash(after.state.exchange),
    );
  });

  test('is verified by that hash, so a changed comment is damage there', () => {
    using temporary = createTemporaryDirectory();
    const old = keepByText(temporary.path);
    expect(() => checkKept(temporary.path, old)).not.toThrow();
    const file = join(temporary.path, old, 'engine/limits.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}// more\n`);
    expect(() => checkKept(temporary.path, old)).toThrow(EngineRefused);
    writeFileSync(file, text);
    expect(() => checkKept(temporary.path, old)).not.toThrow();
  });

  test('a folder under the name of another engine is refused', async () => {
    using temporary = createTemporaryDirectory();
    const hash = await keepEngine(temporary.path);
    const wrong = 'ab'.repeat(32);
    renameSync(join(temporary.path, hash), join(temporary.path, wrong));
    expect(() => checkKept(temporary.path, wrong)).toThrow('is damaged: its sources have the hash');
    // As an engine of other tokens, too.
    const [name, before, after] = moreTokens('Now');
    const file = join(temporary.path, wrong, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
    renameSync(join(temporary.path, wrong), join(temporary.path, hash));
    expect(() => checkKept(temporary.path, hash)).toThrow('is damaged');
  });
});
