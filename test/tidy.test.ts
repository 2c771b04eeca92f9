// The house rules of STYLE.md that must never slip, as a test. Sizes are a ratchet: the present
// worst are listed, and the list may only shrink.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return /\.(ts|mjs)$/.test(entry.name) ? [path] : [];
  });
}

type Source = { readonly path: string; readonly text: string; readonly lines: readonly string[] };

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, lines: text.split('\n') };
}

const sources = filesBelow('src').map(read);
const everything = [
  ...sources,
  ...['test', 'bench', 'sim', 'fuzz', 'mutation', 'scripts'].flatMap((folder) =>
    filesBelow(folder).map(read),
  ),
];

/** What each folder of src may import besides itself and the platform; design of the house. */
const domain = ['std', 'units', 'engine'];
const importTable: Record<string, readonly string[]> = {
  std: [],
  units: ['std'],
  engine: ['std', 'units'],
  log: ['std'],
  replica: [...domain, 'log', 'market-data'],
  history: [...domain, 'market-data', 'replica'],
  archivist: [...domain, 'log', 'replica', 'market-data', 'history'],
  vault: ['std', 'units'],
  'market-data': domain,
  streams: [...domain, 'market-data'],
  api: domain,
  client: [...domain, 'api'],
  gateway: [...domain, 'api', 'replica', 'vault', 'market-data', 'streams', 'history'],
  keeper: [...domain, 'api', 'client'],
};
/** What else a folder may name: what rows hold, but nothing that makes or finds them. */
const rowsOf: Record<string, RegExp> = {
  api: /^src\/(history\/rows|market-data\/\w+)\.ts$/,
};
/** Of these the words of a row's columns too; of the others types alone. */
const wordsOf = 'src/history/rows.ts';
/** Folders whose imports from the engine's operations and state changes would be a breach. */
const readersOnly = ['api', 'client', 'gateway', 'keeper', 'market-data', 'streams'];
const readable =
  /^src\/engine\/(views\/|commandCodec|command\.|limits|order\.|account\.|market\.|exchange\.|outcome|rejection|event\.|clientOrderId|position\.|trigger\.|triggers\/trailing|clearing\/fees|orderRecordCodec|triggerCodec|enumeration)/;

/** Within the engine: what its folders may not see (clearing knows no book, book no money). */
const engineBreaches: Record<string, RegExp> = {
  book: /^src\/engine\/(clearing|operations|pricing|views|exchange)/,
  clearing: /^src\/engine\/(book|operations|pricing|views)\//,
  pricing: /^src\/engine\/(book|clearing|operations|views)\//,
  triggers: /^src\/engine\/(book|clearing|operations|pricing|views)\//,
  views: /^src\/engine\/operations\//,
};

type Import = { readonly path: string; readonly typeOnly: boolean };

function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  for (const match of source.text.matchAll(/^import\s+(type\s)?[^'"]*?['"](\.[^'"]+)['"]/gms)) {
    const path = relative(root, resolve(root, dirname(source.path), match[2]!));
    found.push({ path, typeOnly: match[1] !== undefined });
  }
  return found;
}

const folderOf = (path: string): string => path.split('/')[1]!;

test('imports follow the table of the house', () => {
  const breaches: string[] = [];
  for (const source of sources) {
    const folder = folderOf(source.path);
    const allowed = importTable[folder];
    if (allowed === undefined) continue;
    for (const { path, typeOnly } of importsOf(source)) {
      const target = folderOf(path);
      if (!path.endsWith('.ts')) breaches.push(`${source.path} imports without extension: ${path}`);
      const named = rowsOf[folder]?.test(path) === true && (typeOnly || path === wordsOf);
      if (target !== folder && !allowed.includes(target) && !named) {
        breaches.push(`${source.path} → ${path}`);
      }
      const reads = readersOnly.includes(folder) && target === 'engine' && !typeOnly;
      if (reads && !readable.test(path)) breaches.push(`${source.path} runs ${path}`);
    }
  }
  expect(breaches).toEqual([]);
});

test('inside the engine the book knows no money and clearing knows no book', () => {
  const breaches: string[] = [];
  for (const source of sources) {
    const [, folder, part] = source.path.split('/');
    const forbidden = folder === 'engine' ? engineBreaches[part!] : undefined;
    if (forbidden === undefined) continue;
    for (const { path, typeOnly } of importsOf(source)) {
      if (!typeOnly && forbidden.test(path)) breaches.push(`${source.path} → ${path}`);
    }
  }
  expect(breaches).toEqual([]);
});

test('no file imports itself over a circle', () => {
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ path }) => path),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test('the engine is pure: no clock, no randomness, no I/O, nothing asynchronous', () => {
  const impure =
    /\b(Date\.|new Date|Math\.random|performance\.|process\.|setTimeout|setInterval|setImmediate|async |await )|from 'node:/;
  const found = sources
    .filter(({ path }) => path.startsWith('src/engine/'))
    .flatMap(({ path, lines }) =>
      lines
        .filter((line) => impure.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test('only std/clock reads the wall clock, only config the environment', () => {
  const found: string[] = [];
  for (const { path, lines } of sources) {
    for (const line of lines) {
      if (/^\s*(\/\/|\*|\/\*)/.test(line)) continue;
      if (/\bDate\.now\(|new Date\(\)/.test(line) && path !== 'src/std/clock.ts') {
        found.push(`${path}: ${line.trim()}`);
      }
      if (/Math\.random/.test(line)) found.push(`${path}: ${line.trim()}`);
      const environment = /process\.env/.test(line);
      if (environment && path !== 'src/config.ts' && !path.startsWith('src/bin/')) {
        found.push(`${path}: ${line.trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test('money moves only through the ledger', () => {
  const write = /\b(account|maker|taker|holder)\w*\.(available|freezes|collateral)\s*[-+]?=[^=]/i;
  const found = sources
    .filter(
      ({ path }) =>
        path.startsWith('src/') &&
        !['src/engine/clearing/ledger.ts', 'src/engine/undo.ts'].includes(path),
    )
    .filter(({ path }) => !path.startsWith('src/engine/snapshot'))
    .flatMap(({ path, lines }) =>
      lines.filter((line) => write.test(line)).map((l) => `${path}: ${l.trim()}`),
    );
  expect(found).toEqual([]);
});

test('every operation says where it must succeed', () => {
  const missing = sources
    .filter(({ path }) => path.startsWith('src/engine/operations/'))
    .filter(({ text }) => /exchange\.sure = true/.test(text))
    .filter(({ text }) => !/From here [^.]*must succeed\./.test(text))
    .map(({ path }) => path);
  expect(missing).toEqual([]);
});

test('every file begins with what lives in it', () => {
  const silent = everything.filter(({ lines }) => !/^(\/\/|\/\*|#!)/.test(lines[0] ?? ''));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('a file is named as one of its exports', () => {
  const misnamed = sources
    .filter(({ path }) => !path.startsWith('src/bin/') && !/(Thread|Worker)\.ts$/.test(path))
    .filter(({ path, text }) => {
      const name = basename(path, '.ts');
      const exported = [
        ...text.matchAll(/^export (?:async )?(?:function\*? |const |type |class )(\w+)/gm),
      ];
      return !exported.some((match) => match[1]!.toLowerCase().includes(name.toLowerCase()));
    })
    .map(({ path }) => path)
    .filter((path) => !subjectFiles.has(path));
  expect(misnamed).toEqual([]);
});

/** Files that hold a pair or a set and are named by its subject; the list may only shrink. */
const subjectFiles = new Set([
  'src/api/fapi/batchItems.ts',
  'src/api/fapi/doneAnswer.ts',
  'src/api/fapi/rateLimitRecords.ts',
  'src/api/grid.ts',
  'src/api/orderAnswer.ts',
  'src/api/parameterSchema.ts',
  'src/api/rateTiers.ts',
  'src/api/readParameters.ts',
  'src/archivist/archivistMessage.ts',
  'src/engine/clearing/conservation.ts',
  'src/engine/clearing/fees.ts',
  'src/engine/clearing/insurance.ts',
  'src/engine/clearing/ledger.ts',
  'src/engine/commandCodec.ts',
  'src/engine/commandFields.ts',
  'src/engine/eventHash.ts',
  'src/engine/feeTiersCodec.ts',
  'src/engine/limits.ts',
  'src/engine/marketTermsCodec.ts',
  'src/engine/orderCommandCodec.ts',
  'src/engine/orderHash.ts',
  'src/engine/orderRecordCodec.ts',
  'src/engine/pricing/indexPrice.ts',
  'src/engine/rareCommandCodec.ts',
  'src/engine/snapshotAccounts.ts',
  'src/engine/snapshotLists.ts',
  'src/engine/snapshotMarkets.ts',
  'src/engine/timers.ts',
  'src/engine/triggerCodec.ts',
  'src/engine/triggerCommandCodec.ts',
  'src/engine/triggerHash.ts',
  'src/gateway/fapiRoute.ts',
  'src/gateway/identity/hmacSignature.ts',
  'src/gateway/nativeRoute.ts',
  'src/keeper/makerRecords.ts',
  'src/keeper/makerRequests.ts',
  'src/market-data/endedOrdersSnapshot.ts',
  'src/replica/snapshotFile.ts',
  'src/units/units.ts',
  'src/vault/vaultSchema.ts',
]);

test('no drawers, no barrels, no default exports, no unfinished words, no dead code', () => {
  const found: string[] = [];
  for (const { path, lines } of everything) {
    if (/(^|\/)(utils?|helpers?|common|shared|lib|misc|base|types|index)(\.ts|\/)/.test(path)) {
      found.push(`${path}: a drawer`);
    }
    for (const line of lines) {
      if (/^export (\*|\{[^}]*\}) from/.test(line)) found.push(`${path}: a barrel`);
      if (/^export default/.test(line)) found.push(`${path}: a default export`);
      if (/\b(TODO|FIXME|XXX)\b/.test(line) && path !== 'test/tidy.test.ts') {
        found.push(`${path}: ${line.trim()}`);
      }
      if (/^\s*\/\/.*[=(].*[;{]\s*$/.test(line)) found.push(`${path}: dead code? ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
});

test('no file of the sources is dead', () => {
  const reached = new Set(
    everything.flatMap((source) => importsOf(source).map(({ path }) => path)),
  );
  const loaded = everything.map(({ text }) => text).join('\n');
  const dead = sources
    .map(({ path }) => path)
    .filter((path) => !reached.has(path) && path !== 'src/bin/evermark.ts')
    .filter((path) => !loaded.includes(`/${basename(path)}'`));
  expect(dead).toEqual([]);
});

/** What only tests use of the sources, and why; the list may only shrink. */
const forTestsAlone = new Set([
  // Of the typed client, which is for others to use.
  'src/client/createStreamClient.ts createStreamClient',
  // Of the engine, whose hash changes with it.
  'src/engine/book/ladder.ts levelCount',
]);

test('what the sources export is used by more than tests', () => {
  const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];
  const users = new Map<string, Set<string>>();
  for (const { path, text } of everything) {
    if (path.startsWith('test/')) continue;
    for (const word of new Set(wordsOf(text))) {
      const paths = users.get(word) ?? new Set();
      users.set(word, paths.add(path));
    }
  }
  const unused = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => users.get(name)!.size === 1)
      .filter((name) => wordsOf(text).filter((word) => word === name).length === 1)
      .map((name) => `${path} ${name}`),
  );
  expect(unused.filter((each) => !forTestsAlone.has(each))).toEqual([]);
});

/** The longest of today, in lines: a file or function may not grow past its entry. */
const fileLinesMax = 400;
const functionLinesMax = 60;
/** Where comments are wrapped with the next change of the code; the list may only shrink. */
const longComments = /^src\/(engine|units|archivist)\/|^src\/bin\/openFollowers/;
const longFiles: Record<string, number> = {};
const longFunctions: Record<string, number> = {};

test('files, functions and lines keep their size', () => {
  const found: string[] = [];
  for (const { path, lines } of sources) {
    const size = lines.length - 1;
    if (size > (longFiles[path] ?? fileLinesMax)) found.push(`${path}: ${size} lines`);
    for (const [index, line] of lines.entries()) {
      const mayBeLonger = /^\s*(\/\/|\/?\*)/.test(line)
        ? /https?:/.test(line) || longComments.test(path)
        : /https?:|\/.*\/[a-z]*/.test(line);
      if (line.length > 100 && !mayBeLonger) {
        found.push(`${path}:${index + 1}: ${line.length} columns`);
      }
      const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
      if (name === undefined) continue;
      const length = lines.indexOf('}', index) - index + 1;
      const key = `${path} ${name}`;
      if (length > (longFunctions[key] ?? functionLinesMax)) found.push(`${key}: ${length} lines`);
    }
  }
  expect(found).toEqual([]);
});

/** Long enough for any machine: what a test judges is never how fast the machine is. */
const testMsMin = 600_000;

test('no test gives up sooner than on the slowest machine', () => {
  const found: string[] = [];
  for (const { path, text } of everything) {
    if (!path.startsWith('test/')) continue;
    // Options of tests and of waiting, and the limit behind a test's function.
    for (const [limit, named, behind] of text.matchAll(
      /\btimeout: ([\d_]+)|^\s*\}, (\d{2,}_\d{3})\);$/gm,
    )) {
      const milliseconds = Number((named ?? behind)!.replaceAll('_', ''));
      if (milliseconds < testMsMin) found.push(`${path}: ${limit.trim()}`);
    }
  }
  expect(found).toEqual([]);
});

/** Names that stand in a comment or a document and are of no file; the list may only shrink. */
const staleNames = new Set(['src/engine/market.ts: triggers/waiting.ts']);

test('a file that a comment or a document names is there', () => {
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const texts = [...atRoot, ...markdownBelow('docs'), ...markdownBelow('bench')].map(read);
  const paths = [...everything, ...texts].map(({ path }) => `/${path}`);
  const isThere = (name: string): boolean => paths.some((path) => path.endsWith(`/${name}`));
  const namesIn = ({ path, lines, text }: Source): string[] => {
    const said = path.endsWith('.md')
      ? [...text.matchAll(/`[^`\n]+`/g)].map(([quoted]) => quoted.slice(1, -1))
      : lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line));
    const pattern = path.endsWith('.md') ? /^[\w./-]+\.(?:ts|md)$/g : /[\w/-]+\.(?:ts|md)\b/g;
    return said.flatMap((words) => [...words.matchAll(pattern)].map(([name]) => name));
  };
  const found = [...sources, ...texts].flatMap((source) =>
    namesIn(source)
      .filter((name) => !isThere(name))
      .map((name) => `${source.path}: ${name}`),
  );
  expect(found.filter((each) => !staleNames.has(each))).toEqual([]);
});

test('every runtime dependency has its paragraph in ARCHITECTURE.md', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
  ];
  expect(named.filter((name) => !architecture.includes(`**${name}**`))).toEqual([]);
});

test('every runtime dependency is used', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text = sources.map((source) => source.text).join('\n');
  const unused = Object.keys(manifest.dependencies).filter((name) => !text.includes(`'${name}`));
  expect(unused).toEqual([]);
});

test('four documents at the root', () => {
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'));
  expect(documents.sort()).toEqual(['ARCHITECTURE.md', 'CHANGELOG.md', 'README.md', 'STYLE.md']);
});

test('the project speaks of itself alone', () => {
  const folder = basename(dirname(root));
  const machinePath = new RegExp(`(?<![\\w.])/${folder}/|/root/|/home/\\w+/`);
  const words = /\b(AI agent|language model|Claude|GPT|helper session|registry\.npmjs)\b/i;
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'STYLE.md',
    'CHANGELOG.md',
    ...markdownBelow('docs'),
  ];
  const found = [...everything, ...documents.map(read)]
    .filter(({ path }) => path !== 'test/tidy.test.ts')
    .flatMap(({ path, lines }) =>
      lines
        .filter((line) => machinePath.test(line) || words.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return markdownBelow(path);
    return name.endsWith('.md') ? [path] : [];
  });
}
