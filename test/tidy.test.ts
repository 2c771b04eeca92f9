// The house rules of STYLE.md that must never slip, as a test: no file may offend, and each check
// must find an offence that is planted. Lists of exceptions are a ratchet: they may only shrink.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemsOfArchitecture } from './tidy/architecture.ts';
import { moveMoneyInLedger, readNoClock, sayWhereCommitted, stayPure } from './tidy/effects.ts';
import {
  followTable,
  goInNoCircle,
  keepEngineApart,
  knownChains,
  leaveNoFileDead,
  listThreads,
  openBrowsersApart,
  reachNothingForbidden,
  readLogByPort,
  readThroughViews,
  stayInBrowser,
} from './tidy/imports.ts';
import {
  bearNameOfExport,
  beginWithComment,
  exportWhatIsUsed,
  holdNoLeftovers,
  keepSizes,
  nameFilesThatAreThere,
  speakOfProjectAlone,
  waitLongEnough,
  wrapComments,
} from './tidy/shape.ts';
import { type Check, documents, everything, root, sourceOf } from './tidy/source.ts';
import {
  writePlainComments,
  writePlainDocuments,
  writePlainMessages,
  writePlainTitles,
} from './tidy/words.ts';

/** A file that offends, and further ones that it needs; several when a rule has several ways. */
type Planted = Readonly<Record<string, string>>;

const withDocuments = [...everything, ...documents];
const operation = 'src/engine/operations/plant.ts';
const clearing = 'src/engine/clearing/plant.ts';

const rules: readonly {
  readonly title: string;
  readonly check: Check;
  readonly sources?: typeof everything;
  readonly known?: readonly string[];
  readonly planted: readonly Planted[];
}[] = [
  {
    title: 'imports follow the table of ARCHITECTURE.md',
    check: followTable,
    planted: [
      { 'src/std/plant.ts': "import { one } from '../engine/market.ts';" },
      { 'src/engine/plant.ts': "import type { Log } from '../log/log.ts';" },
      { 'src/maker/plant.ts': "import type { Grid } from '../engine/market.ts';" },
      { 'src/maker/plant.ts': "import type { Report } from '../feeds/indexFeed.ts';" },
      { 'src/feeds/plant.ts': "import { createClient } from '../client/createClient.ts';" },
      { 'src/api/plant.ts': "import { openHistory } from '../history/openHistory.ts';" },
      { 'src/log/plant.ts': "import { one } from './log';" },
      // A folder of which the table knows nothing.
      { 'src/plant/plant.ts': 'export const plant = 1;' },
    ],
  },
  {
    title: 'the page brings nothing of the server to the browser',
    check: stayInBrowser,
    planted: [
      { 'src/page/plant.tsx': "import { operations } from '../api/operations.ts';" },
      { 'src/page/state/plant.ts': "import { hash } from 'node:crypto';" },
      { 'src/page/state/plant.ts': 'const bytes = Buffer.alloc(1);' },
      { 'src/page/state/plant.ts': 'const { port } = process.env;' },
      {
        'src/client/createCalls.ts': "import { two } from '../std/disk.ts';",
        'src/page/plant.ts': "import { one } from '../client/createCalls.ts';",
      },
    ],
  },
  {
    title: 'readers use the views, words and messages of the engine, never its state modules',
    check: readThroughViews,
    planted: [
      { 'src/gateway/plant.ts': "import { f } from '../engine/operations/credit.ts';" },
      { 'src/api/native/plant.ts': "import type { Order } from '../../engine/order.ts';" },
      { 'src/bin/plant.ts': "import type { Exchange } from '../engine/exchange.ts';" },
      { 'src/history/plant.ts': "import { type Trigger, waits } from '../engine/trigger.ts';" },
      { 'src/streams/plant.ts': "import { bestLevel } from '../engine/book/ladder.ts';" },
      {
        'src/archivist/plant.ts':
          "import { holdersOf } from '../engine/clearing/liquidationIndex.ts';",
      },
      { 'src/api/plant.ts': "import { stateOf } from '../engine/views/stateOf.ts';" },
      { 'src/market-data/plant.ts': "import { engine } from '../engine/engine.ts';" },
    ],
  },
  {
    title: 'in the engine the book imports no money and clearing imports no book',
    check: keepEngineApart,
    planted: [
      { 'src/engine/book/plant.ts': "import { post } from '../clearing/ledger.ts';" },
      { [clearing]: "import { ladderOf } from '../book/book.ts';" },
      { 'src/engine/pricing/plant.ts': "import { post } from '../clearing/ledger.ts';" },
      { 'src/engine/codec/plant.ts': "import { exchangeOf } from '../exchange.ts';" },
      { 'src/engine/snapshot/plant.ts': "import { credit } from '../operations/credit.ts';" },
      { 'src/engine/invariants/plant.ts': "import { stateHash } from '../snapshot/stateHash.ts';" },
      { 'src/engine/views/plant.ts': "import { credit } from '../operations/credit.ts';" },
      { 'src/engine/triggers/plant.ts': "import {\n  mark,\n} from '../pricing/mark.ts';" },
    ],
  },
  {
    title: 'the book and clearing do not import each other through other files either',
    check: reachNothingForbidden,
    known: knownChains,
    planted: [
      {
        [clearing]: "import { one } from '../plantBetween.ts';",
        'src/engine/plantBetween.ts': "import { ladderOf } from './book/book.ts';",
      },
      {
        'src/engine/book/plant.ts': "import { one } from '../plantBetween.ts';",
        'src/engine/plantBetween.ts': "import { two } from './plantFurther.ts';",
        'src/engine/plantFurther.ts': "import { post } from './clearing/ledger.ts';",
      },
    ],
  },
  {
    title: 'no imports form a circle',
    check: goInNoCircle,
    planted: [
      {
        'src/std/plant.ts': "import { b } from './other.ts';",
        'src/std/other.ts': "import { a } from './plant.ts';",
      },
    ],
  },
  {
    title: 'readers use the port of the log, and only bin/ and programs of threads open its files',
    check: readLogByPort,
    planted: [
      { 'src/replica/plant.ts': "import { openLogReader } from '../log/file/openLogReader.ts';" },
      { 'src/archivist/plant.ts': "import type { Skip } from '../log/file/skip.ts';" },
      { 'src/bin/plant.ts': "import { readBatches } from '../log/file/readBatches.ts';" },
      { 'src/bin/plant.ts': "import { beginTenure } from '../log/postgres/tenure.ts';" },
      { 'src/replica/plant.ts': "import { tables } from '../log/postgres/tables.ts';" },
      { 'src/history/plantThread.ts': "import { nextFrame } from '../log/file/frameCursor.ts';" },
    ],
  },
  {
    title: 'threads are listed and started in one file',
    check: listThreads,
    planted: [
      { 'src/log/plantThread.ts': "import { parentPort } from 'node:worker_threads';" },
      { 'src/log/plant.ts': "const worker = new Worker(new URL('./plant.ts', import.meta.url));" },
      { 'src/log/plant.ts': "import { data } from './file/logWriterThread.ts';" },
      { 'src/threads.ts': "const programs = { plant: './log/log.ts' };" },
      {
        'src/threads.ts': "const programs = { plant: './log/plantWorker.ts' };",
        'src/log/plantWorker.ts': "import { parentPort } from 'node:worker_threads';",
      },
    ],
  },
  {
    title: 'every source file is used',
    check: leaveNoFileDead,
    // Its name may stand nowhere, not even here.
    planted: [{ [['src/std/orphan', 'ts'].join('.')]: 'export const orphan = 1;' }],
  },
  {
    title: 'the engine is pure: no clock, no randomness, no I/O, nothing asynchronous',
    check: stayPure,
    planted: [
      'Date.now()',
      'new Date()',
      'globalThis.Date.now()',
      "globalThis['Date']",
      'Date',
      'Math.random()',
      "Math['random']()",
      'performance.now()',
      'process.hrtime()',
      'setTimeout(f, 1)',
      'await f()',
      "import('./later.ts')",
      'process.pid',
      "require('fs')",
      'fetch(address)',
      'new Promise(f)',
      'crypto.randomUUID()',
      "new Function('')",
    ]
      .map((said) => `const now = ${said};`)
      .concat("import { readFileSync } from 'node:fs';")
      .map((text) => ({ 'src/engine/clearing/margin.ts': text })),
  },
  {
    title: 'only std/clock reads the wall clock, only config the environment',
    check: readNoClock,
    planted: [
      'const now = Date.now();',
      'const now = new Date();',
      'const now = +new Date;',
      'const clock = Date;',
      'const { now } = Date;',
      'const now = globalThis.Date.now();',
      "const now = Date['now']();",
      'const chance = Math.random();',
      'const { random } = Math;',
      'const port = process.env.PORT;',
      "const port = process['env'].PORT;",
      'const { env } = process;',
    ].map((text) => ({ 'src/gateway/plant.ts': text })),
  },
  {
    title: 'money moves only through the ledger, and lots of a level only with their orders',
    check: moveMoneyInLedger,
    planted: [
      'fund.available = 0 as Money;',
      'account.available += 1;',
      'exchange.accounts[0]!.freezes -= 1;',
      'winner.collateral = 5;',
      "account['available'] = 1;",
      'account.available++;',
      '--account.freezes;',
      'funds.feeRevenue = 0;',
      'exchange.funds.shortfall += 1;',
      'exchange.funds.deposits += 1n;',
      'level.lots = 0 as Lots;',
      'order.level!.lots -= 1;',
      'bestLevel.lots = 0;',
      'Object.assign(account, { available: 0 });',
    ]
      .map((text): Planted => ({ 'src/engine/clearing/insurance.ts': text }))
      .concat({ 'src/engine/clearing/cover.ts': 'order.level!.lots -= 1;' }),
  },
  {
    title: 'every operation names the point after which it must succeed',
    check: sayWhereCommitted,
    planted: [
      'exchange.committed = true;',
      '// From here the order must succeed.\nexchange.committed = true;',
      '// From here credit must succeed.\nexchange.committed = true;',
    ].map((text) => ({ [operation]: text })),
  },
  {
    title: 'every file begins with a comment about its content',
    check: beginWithComment,
    planted: [{ 'test/plant.ts': 'export const plant = 1;' }],
  },
  {
    title: 'a file is named as one of its exports',
    check: bearNameOfExport,
    planted: [{ 'src/std/plant.ts': 'export const flower = 1;' }],
  },
  {
    title: 'no drawers, no barrels, no default exports, no unfinished words, no dead code',
    check: holdNoLeftovers,
    planted: [
      { 'src/std/utils.ts': '' },
      { 'test/helpers/plant.ts': '' },
      { 'src/std/plant.ts': "export * from './one.ts';" },
      { 'src/std/plant.ts': "export { one } from './one.ts';" },
      { 'src/std/plant.ts': "export type { One } from './one.ts';" },
      { 'src/std/plant.ts': 'export default 1;' },
      { 'src/std/plant.ts': '// TODO: more' },
      { 'src/std/plant.ts': '// const one = two();' },
    ],
  },
  {
    title: 'every export of the sources is used outside of tests',
    check: exportWhatIsUsed,
    planted: [
      {
        'src/std/plant.ts': 'export const onlyForTests = 1;',
        'test/plant.ts': "import { onlyForTests } from '../src/std/plant.ts';",
      },
    ],
  },
  {
    title: 'files, functions and lines keep their size',
    check: keepSizes,
    planted: [
      { 'src/std/plant.ts': 'const a = 1;\n'.repeat(401) },
      { 'src/std/plant.ts': `const long = '${'a'.repeat(100)}';` },
      { 'src/std/plant.ts': `export function long() {\n${'  one();\n'.repeat(60)}}\n` },
      { 'src/std/plant.ts': `const long = () => {\n${'  one();\n'.repeat(60)}};\n` },
    ],
  },
  {
    title: 'comments have up to 100 columns, in tests and tools too',
    check: wrapComments,
    planted: [
      { 'src/engine/plant.ts': `// ${'long '.repeat(20)}` },
      { 'bench/plant.ts': `/** ${'long '.repeat(20)}*/` },
      { 'test/plant.test.ts': `/**\n   * ${'long '.repeat(20)}\n   */` },
    ],
  },
  {
    title: 'every file that a comment or a document names exists',
    check: nameFilesThatAreThere,
    sources: withDocuments,
    planted: [
      { 'src/std/plant.ts': '// As in gone/away.ts.' },
      { 'docs/plant.md': 'As `src/gone.ts` does.' },
    ],
  },
  {
    title: 'no test gives up before half an hour, no wait before ten minutes',
    check: waitLongEnough,
    planted: [
      { 'test/plant.test.ts': "test('a', { timeout: 600_000 }, () => {});" },
      { 'test/plant.test.ts': "test('a', {\n  timeout: 600_000,\n}, async () => {});" },
      { 'test/plant.test.ts': 'await expect.poll(seen, { timeout: 60_000 }).toBe(1);' },
      { 'test/plant.test.ts': 'const timeout = 599_999;' },
      { 'test/plant.test.ts': 'const waitMs = 60_000;' },
      { 'test/plant.test.ts': 'await vi.waitFor(() => expect(seen()).toBe(1));' },
      { 'test/plant.test.ts': "test('a', () => {\n}, 600_000);" },
      { 'test/plant.test.ts': "test(\n  'a',\n  () => {},\n  600_000,\n);" },
    ],
  },
  {
    title: 'tests that open a browser are apart',
    check: openBrowsersApart,
    planted: [
      { 'test/page/plant.test.ts': "import { openBrowser } from './openBrowser.ts';" },
      { 'test/bin/plant.test.ts': "import { useStage } from '../page/useStage.ts';" },
    ],
  },
  {
    title: 'the project speaks of itself alone',
    check: speakOfProjectAlone,
    sources: withDocuments,
    planted: [
      { 'src/std/plant.ts': '// As in /home/somebody/notes.' },
      { 'docs/plant.md': 'Written by a language model.' },
    ],
  },
  {
    title: 'documents use plain words',
    check: writePlainDocuments,
    sources: documents,
    planted: [
      { 'docs/plant.md': 'Nobody is told.' },
      { 'docs/rules/plant.md': 'The account pays what\nit lacks (`BAL-4`), whoever asks.' },
    ],
  },
  {
    title: 'messages use plain words',
    check: writePlainMessages,
    planted: [
      { 'src/api/plant.ts': "const message = 'The request lacks a price.';" },
      { 'src/bin/plant.ts': 'const line = `nobody was told of it`;' },
    ],
  },
  {
    title: 'comments use plain words',
    check: writePlainComments,
    planted: [
      { 'src/std/plant.ts': '// Whoever reads it is told.' },
      { 'sim/plant.ts': 'const one = 1; // nobody reads it' },
      { 'test/scenarios/plant.test.ts': 'const steps = `\n  # Anna lacks 5.\n`;' },
    ],
  },
  {
    title: 'titles of tests use plain words',
    check: writePlainTitles,
    planted: [
      { 'test/plant.test.ts': "test('ORD-1 nobody is told', () => {});" },
      { 'test/scenarios/plant.test.ts': "scenario(\n  'LIQ-3 what a loser lacks',\n  '');" },
      { 'test/plant.test.ts': "test.each(list)('whoever asks: %s', f);" },
    ],
  },
];

const titleOf = (files: Planted): string =>
  Object.entries(files)[0]!.join(': ').replace(/\s+/g, ' ').slice(0, 80);

describe.each(rules)('$title', ({ check, sources = everything, known = [], planted }) => {
  const found = check(sources);

  test('is kept', () => {
    expect(found.filter((offence) => !known.includes(offence))).toEqual([]);
    expect(
      known.filter((offence) => !found.includes(offence)),
      'no longer found',
    ).toEqual([]);
  });

  test.each(planted.map((files) => [titleOf(files), files] as const))('finds %s', (_, files) => {
    const plants = Object.entries(files).map(([path, text]) => sourceOf(path, text));
    const others = sources.filter(({ path }) => !(path in files));
    const known = new Set(found);
    const offences = check([...others, ...plants]).filter((offence) => !known.has(offence));
    const [path] = Object.keys(files);
    expect(offences.filter((offence) => offence.includes(path!))).not.toEqual([]);
  });
});

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, string>
>;

const unexplained = (names: readonly string[], architecture: string): string[] =>
  names.filter((name) => !architecture.includes(`**${name}**`));
const unused = (names: readonly string[], text: string): string[] =>
  names.filter((name) => !text.includes(`'${name}`));

test('every runtime dependency has its paragraph in ARCHITECTURE.md', () => {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(unexplained(names, architecture)).toEqual([]);
  expect(unexplained(['planted'], architecture)).toEqual(['planted']);
});

test('every runtime dependency is used', () => {
  const text = everything.flatMap((each) => (each.path.startsWith('src/') ? each.text : [])).join();
  expect(unused(Object.keys(manifest.dependencies), text)).toEqual([]);
  expect(unused(['planted'], text)).toEqual(['planted']);
});

test('every imported dependency is declared with one exact version', () => {
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  };
  const imported = /^(?:import\b[^;'\n]*|\}) (?:from )?'((?:@[\w-]+\/)?[a-z][\w.-]*)/gm;
  const undeclared = (sources: typeof everything): string[] =>
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(imported)]
        .map(([, name]) => name!)
        .filter((name) => name !== 'node' && declared[name] === undefined)
        .map((name) => `${path}: ${name}`),
    );
  expect(undeclared(everything)).toEqual([]);
  const plant = sourceOf('mutation/plant.ts', "import { parse } from 'planted/parse';");
  expect(undeclared([plant])).toEqual(['mutation/plant.ts: planted']);
  const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  expect(Object.entries(declared).filter(([, version]) => !exact.test(version))).toEqual([]);
  expect(['*', '24', '^8.18.2', '~1.0.0'].filter((version) => exact.test(version))).toEqual([]);
});

test('ARCHITECTURE.md has at most 300 lines, and each heading a line of its own', () => {
  const problemsOf = (text: string): string[] => {
    const lines = text.trimEnd().split('\n');
    const runIn = lines.filter((line, at) => /\S ##+ /.test(line) || isSquashed(lines, at));
    return [...(lines.length > 300 ? [`${lines.length} lines`] : []), ...runIn];
  };
  // A heading has an empty line on both sides.
  const isSquashed = (lines: readonly string[], at: number): boolean =>
    /^##+ /.test(lines[at]!) && (lines[at - 1] !== '' || lines[at + 1] !== '');
  expect(problemsOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))).toEqual([]);
  expect(problemsOf('line\n'.repeat(301))).toEqual(['301 lines']);
  const merged = 'The end of a sentence. ## What comes later\n';
  expect(problemsOf(merged)).toEqual([merged.trim()]);
  expect(problemsOf('text\n## Heading\n\ntext')).toEqual(['## Heading']);
});

test('ARCHITECTURE.md names each folder of the sources and only what is there, and its table is checked', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  expect(problemsOfArchitecture(text, everything)).toEqual([]);
  const plants = ['src/plant/plant.ts', 'src/engine/plant/plant.ts', 'src/plant.ts'];
  expect(
    problemsOfArchitecture(text, [...everything, ...plants.map((path) => sourceOf(path, ''))]),
  ).toEqual(['plant/', 'engine/plant/', 'plant.ts'].map((place) => `no row names src/${place}`));
  for (const [there, planted, found] of [
    ['(`file/`)', '(`plant/`)', 'plant/ is not there'],
    ['(`sim/attack/`)', '(`sim/plant/`)', 'sim/plant/ is not there'],
    ['| + log, market-data |', '| + log |', 'replica/ may import engine, log, std, units by'],
    ['| not operations |', '| not pricing |', 'engine/views/ may import not pricing by'],
  ] as const) {
    expect(text).toContain(there);
    const [problem, ...others] = problemsOfArchitecture(text.replace(there, planted), everything);
    expect(problem).toContain(found);
    expect(others).toEqual([]);
  }
});

test('each check of tidy is asked', () => {
  const asked = new Set(rules.map(({ check }) => check.name));
  const checks = everything
    .filter(({ path }) => path.startsWith('test/tidy/'))
    .flatMap(({ text }) => [...text.matchAll(/^export const (\w+): Check\b/gm)])
    .map(([, name]) => name!);
  expect(checks.length).toBeGreaterThan(20);
  expect(checks.filter((name) => !asked.has(name))).toEqual([]);
});

test('the root has exactly four documents', () => {
  const known = ['ARCHITECTURE.md', 'CHANGELOG.md', 'README.md', 'STYLE.md'];
  const problemsOf = (names: readonly string[]): string[] => [
    ...names.filter((name) => name.endsWith('.md') && !known.includes(name)),
    ...known.filter((name) => !names.includes(name)),
  ];
  expect(problemsOf(readdirSync(root))).toEqual([]);
  expect(problemsOf([...known, 'plant.md'])).toEqual(['plant.md']);
  expect(problemsOf(known.slice(1))).toEqual(['ARCHITECTURE.md']);
});
