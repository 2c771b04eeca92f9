// Which file may import what: folders of src, parts of the engine, circles, and chains of
// imports.

import { pageTests } from '../../scripts/longTests.ts';
import { type Check, folderOf, importsOf, inSrc, linesOf, valueImports } from './source.ts';

/** What each folder of src may import besides itself and the platform; design of the house. */
const domain = ['std', 'units', 'engine'];
export const importTable: Record<string, readonly string[]> = {
  std: [],
  units: ['std'],
  engine: ['std', 'units'],
  log: ['std', 'threads.ts'],
  link: ['std', 'log'],
  replica: [...domain, 'log', 'market-data'],
  history: [...domain, 'market-data', 'replica', 'threads.ts'],
  solvency: domain,
  archivist: [...domain, 'log', 'replica', 'market-data', 'history', 'solvency', 'threads.ts'],
  secrets: ['std', 'units', 'threads.ts'],
  'market-data': domain,
  streams: [...domain, 'market-data'],
  api: domain,
  client: [...domain, 'api'],
  gateway: [
    ...domain,
    'api',
    'replica',
    'secrets',
    'market-data',
    'streams',
    'history',
    'threads.ts',
  ],
  feeds: domain,
  chain: [...domain, 'solvency', 'threads.ts'],
  maker: ['std', 'units', 'client'],
  // By value only what runs in browsers: see stayInBrowser.
  page: [...domain, 'api', 'client'],
};
/** What else a folder may name: what rows hold, but nothing that makes or finds them. */
export const rowsOf: Record<string, RegExp> = {
  api: /^src\/(history\/rows|market-data\/\w+)\.ts$/,
};
/** Of these the words of a row's columns too; of the others types alone. */
const wordsOf = 'src/history/rows.ts';
/** Within the engine: what its folders may not see (clearing knows no book, book no money). */
export const engineBreaches: Record<string, RegExp> = {
  book: /^src\/engine\/(clearing|operations|pricing|views|exchange)/,
  clearing: /^src\/engine\/(book|operations|pricing|views)\//,
  pricing: /^src\/engine\/(book|clearing|operations|views)\//,
  triggers: /^src\/engine\/(book|clearing|operations|pricing|views)\//,
  views: /^src\/engine\/operations\//,
  codec:
    /^src\/engine\/(book|clearing|invariants|operations|pricing|snapshot|triggers|views|exchange)/,
  snapshot: /^src\/engine\/(operations|pricing)\//,
  invariants: /^src\/engine\/(operations|pricing|snapshot|views)\//,
};

export const followTable: Check = (sources) => {
  const breaches: string[] = [];
  for (const source of inSrc(sources)) {
    const folder = folderOf(source.path);
    if (folder === 'bin' || folder.endsWith('.ts')) continue;
    const allowed = importTable[folder];
    if (allowed === undefined) {
      breaches.push(`${source.path}: the table does not name ${folder}`);
      continue;
    }
    for (const { path, typeOnly } of importsOf(source)) {
      const target = folderOf(path);
      if (!/\.(?:tsx?|css)$/.test(path))
        breaches.push(`${source.path} imports without extension: ${path}`);
      const named = rowsOf[folder]?.test(path) === true && (typeOnly || path === wordsOf);
      if (target !== folder && !allowed.includes(target) && !named) {
        breaches.push(`${source.path} → ${path}`);
      }
    }
  }
  return breaches;
};

/** What the page may bring to a browser by value, through however many files. */
const inBrowser = new RegExp(
  [
    'page/.*',
    'client/(createStreamClient|createNativeClient|createCalls|rowRequest|signByWebCrypto|apiError)',
    'client/(book|crc32|disconnectSwitch|grid|keepBook|pacedSpeaker)',
    'api/native/nativeRoutes',
    'units/(decimal|interval|mulDiv|notional|units)',
    'std/(assert|clock)',
  ]
    .map((names) => `^src/(${names})\\.`)
    .join('|'),
);

/**
 * The page and all that it reaches by value. Types come from everywhere; no one imports the page.
 */
export const stayInBrowser: Check = (sources) => {
  const graph = new Map(inSrc(sources).map((source) => [source.path, source]));
  const reached = new Set([...graph.keys()].filter((path) => folderOf(path) === 'page'));
  const offences: string[] = [];
  for (const path of reached) {
    const source = graph.get(path);
    for (const next of source === undefined ? [] : valueImports(source)) {
      if (!inBrowser.test(next)) offences.push(`${path} brings ${next} to the browser`);
      else if (!next.endsWith('.css')) reached.add(next);
    }
  }
  const platform = /\bfrom 'node:|\bprocess\s*\.|\bBuffer\b/;
  const pages = inSrc(sources).filter(({ path }) => folderOf(path) === 'page');
  return [...offences, ...pages.flatMap((source) => linesOf(source, platform))];
};

/** What code outside of the engine may import from it: views, words and messages. */
const openOfEngine = new RegExp(
  [
    'views/(?!stateOf)\\w+',
    // What orders, triggers, accounts and markets can be, and what bounds them.
    'orderTypes|triggerTypes|marginModes|marketTerms|bracket|feeTier|limits|clientOrderId',
    // The requests to the engine and its results.
    'command|outcome|rejection|event|riskEvent|fill',
    // Commands as bytes, between threads.
    'codec/(enumeration|commandCodec)',
  ]
    .map((names) => `^src/engine/(${names})\\.ts$`)
    .join('|'),
);
/** Of these the types alone. */
const typesOfEngine = /^src\/engine\/(engine|invariants\/invariants)\.ts$/;

/**
 * Readers see records and accessors of engine/views, so that the layout of the state is the
 * engine's own matter. The replica drives the engine and reads ahead in its state.
 */
export const readThroughViews: Check = (sources) =>
  inSrc(sources)
    .filter(({ path }) => !['engine', 'replica'].includes(folderOf(path)))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ path }) => folderOf(path) === 'engine' && !openOfEngine.test(path))
        .filter(({ path, typeOnly }) => !(typeOnly && typesOfEngine.test(path)))
        .map(({ path }) => `${source.path} → ${path}`),
    );

const forbiddenIn = (path: string): RegExp | undefined => {
  const [, folder, part] = path.split('/');
  return folder === 'engine' ? engineBreaches[part!] : undefined;
};

export const keepEngineApart: Check = (sources) =>
  inSrc(sources).flatMap((source) =>
    valueImports(source)
      .filter((path) => forbiddenIn(source.path)?.test(path))
      .map((path) => `${source.path} → ${path}`),
  );

/**
 * A part of the engine may not reach a forbidden part through other files either. These chains are
 * there today, each named by its file and the first one beyond; the list may only shrink.
 */
export const knownChains: readonly string[] = [
  'closeAt',
  'cover',
  'debit',
  'deleverage',
  'settleFill',
  'shareDeficit',
  'takeOver',
].map(
  (name) =>
    `src/engine/clearing/${name}.ts reaches src/engine/book/book.ts by src/engine/endOrder.ts`,
);

/**
 * Over however many files: for each file of a part, where every chain first meets a forbidden one.
 */
export const reachNothingForbidden: Check = (sources) => {
  const graph = new Map(inSrc(sources).map((source) => [source.path, valueImports(source)]));
  return [...graph.keys()].flatMap((path) => {
    const forbidden = forbiddenIn(path);
    if (forbidden === undefined) return [];
    return [...chainsFrom(path, graph, forbidden)].map((via) => `${path} reaches ${via}`).sort();
  });
};

/** `TARGET by FILE`: a forbidden file, and the allowed one that imports it. */
function chainsFrom(
  from: string,
  graph: ReadonlyMap<string, readonly string[]>,
  forbidden: RegExp,
): Set<string> {
  const chains = new Set<string>();
  const seen = new Set([from]);
  const waiting = [from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const next of graph.get(path) ?? []) {
      // keepEngineApart finds direct imports.
      if (forbidden.test(next)) {
        if (path !== from) chains.add(`${next} by ${path}`);
      } else if (!seen.has(next)) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return chains;
}

export const goInNoCircle: Check = (sources) => {
  const graph = new Map(inSrc(sources).map((source) => [source.path, valueImports(source)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return circles;
};

/**
 * The modules that open the log, on files and in PostgreSQL, and their users; all others use the
 * port, log/log.ts.
 */
const logOpeners = new RegExp(
  [
    'file/(openFileLog|openLogReader|openLogTail|lockDirectory|skip|archiveSegments|syncSegments)',
    'file/(archiveManifest|checkArchive|segment)',
    'postgres/(createServers|openSession|tables|describeCluster)',
    'postgres/(openPostgresLog|openPostgresThreadLog|readPostgresBatches|readOrigins|catchUp)',
    'postgres/(openLocalSegments|sharedRows|sharedStatement|joinMembers|askHandover|divideLog)',
    'postgres/(exportLog|fetchArchive|matchArchive|removeArchived)',
  ]
    .map((names) => `^src/log/${names}\\.ts$`)
    .join('|'),
);
const opensLog = /^src\/(bin\/.*|.*Thread\.ts$)/;

export const readLogByPort: Check = (sources) =>
  inSrc(sources)
    .filter(({ path }) => folderOf(path) !== 'log')
    .flatMap((source) =>
      importsOf(source)
        .filter(({ path }) => /^src\/log\/(file|postgres)\//.test(path))
        .filter(({ path }) => !opensLog.test(source.path) || !logOpeners.test(path))
        .map(({ path }) => `${source.path} → ${path}`),
    );

const threadList = 'src/threads.ts';
const isProgram = /^import [^;]*\bparentPort\b[^;]*'node:worker_threads'/m;

/** One file lists and starts the threads; their programs are named …Thread and export no values. */
export const listThreads: Check = (sources) => {
  const inside = inSrc(sources);
  const list = inside.find(({ path }) => path === threadList);
  const names = [...(list?.text ?? '').matchAll(/'\.\/([\w/-]+\.ts)'/g)];
  const listed = new Set(names.map(([, name]) => `src/${name}`));
  const programs = new Set(inside.flatMap(({ path, text }) => (isProgram.test(text) ? path : [])));
  return [
    ...[...listed]
      .filter((path) => !programs.has(path) || !path.endsWith('Thread.ts'))
      .map((path) => `${threadList} lists ${path}, which is no program of a thread`),
    ...[...programs].filter((path) => !listed.has(path)).map((path) => `${path}: not listed`),
    ...inside.flatMap((source) => [
      ...(source.path === threadList ? [] : linesOf(source, /\bnew Worker\(/)),
      ...valueImports(source)
        .filter((path) => programs.has(path))
        .map((path) => `${source.path} imports the program ${path}`),
    ]),
  ];
};

/** A file of src that nothing imports or loads by its name. */
export const leaveNoFileDead: Check = (sources) => {
  const reached = new Set(sources.flatMap((source) => importsOf(source).map(({ path }) => path)));
  const loaded = sources.map(({ text }) => text).join('\n');
  return inSrc(sources)
    .map(({ path }) => path)
    .filter((path) => !reached.has(path) && path !== 'src/bin/evermark.ts')
    .filter((path) => !loaded.includes(`/${path.split('/').at(-1)}'`));
};

const browser = 'test/page/openBrowser.ts';

/** `npm test` needs no browser: the tests that open one, also through other files, are apart. */
export const openBrowsersApart: Check = (sources) => {
  const tests = sources.filter(({ path }) => path.startsWith('test/'));
  const opening = new Set([browser]);
  for (let before = 0; before < opening.size; ) {
    before = opening.size;
    for (const source of tests) {
      if (valueImports(source).some((path) => opening.has(path))) opening.add(source.path);
    }
  }
  return [...opening]
    .filter((path) => path.endsWith('.test.ts') && !pageTests.includes(path))
    .map((path) => `${path}: opens a browser and is not in scripts/longTests.ts`);
};
