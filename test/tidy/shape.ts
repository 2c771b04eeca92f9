// How files look: their names, sizes and first comments, what they may not contain, and whether
// the files that they name exist.

import { basename, dirname } from 'node:path';
import { type Check, inSrc, isComment, nameOf, root, type Source } from './source.ts';

export const beginWithComment: Check = (sources) =>
  sources.filter(({ lines }) => !/^(\/\/|\/\*|#!)/.test(lines[0] ?? '')).map(({ path }) => path);

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
  'src/engine/codec/commandCodec.ts',
  'src/engine/codec/commandFields.ts',
  'src/engine/snapshot/eventHash.ts',
  'src/engine/codec/feeTiersCodec.ts',
  'src/engine/limits.ts',
  'src/engine/codec/marketTermsCodec.ts',
  'src/engine/codec/orderCommandCodec.ts',
  'src/engine/snapshot/orderHash.ts',
  'src/engine/codec/orderRecordCodec.ts',
  'src/engine/pricing/indexPrice.ts',
  'src/engine/codec/rareCommandCodec.ts',
  'src/engine/snapshot/snapshotAccounts.ts',
  'src/engine/snapshot/snapshotHead.ts',
  'src/engine/snapshot/snapshotLists.ts',
  'src/engine/snapshot/snapshotMarkets.ts',
  'src/engine/timers.ts',
  'src/engine/codec/triggerCodec.ts',
  'src/engine/codec/triggerCommandCodec.ts',
  'src/engine/snapshot/triggerHash.ts',
  'src/gateway/identity/hmacSignature.ts',
  'src/maker/makerRecords.ts',
  'src/maker/makerRequests.ts',
  'src/market-data/endedOrdersSnapshot.ts',
  'src/replica/snapshotFile.ts',
  'src/units/units.ts',
  'src/secrets/secretSchema.ts',
]);

/** Programs are started, never imported. */
const isProgram = /^src\/bin\/|Thread\.ts$|\/treeProgram\.ts$|^src\/page\/app\.tsx$/;

export const bearNameOfExport: Check = (sources) =>
  inSrc(sources)
    .filter(({ path }) => !isProgram.test(path))
    .filter(({ path, text }) => {
      const exported = [
        ...text.matchAll(/^export (?:async )?(?:function\*? |const |type |class )(\w+)/gm),
      ];
      const name = nameOf(path).toLowerCase();
      return !exported.some((match) => match[1]!.toLowerCase().includes(name));
    })
    .map(({ path }) => path)
    .filter((path) => !subjectFiles.has(path));

/** This folder contains the words that it looks for. */
const isTidy = (path: string): boolean => /^test\/tidy[./]/.test(path);

export const holdNoLeftovers: Check = (sources) => {
  const found: string[] = [];
  for (const { path, lines } of sources) {
    if (/(^|\/)(utils?|helpers?|common|shared|lib|misc|base|types|index)(\.ts|\/)/.test(path)) {
      found.push(`${path}: a drawer`);
    }
    for (const line of lines) {
      if (/^export (\*|(?:type )?\{[^}]*\}) from/.test(line)) found.push(`${path}: a barrel`);
      if (/^export default/.test(line)) found.push(`${path}: a default export`);
      if (/\b(TODO|FIXME|XXX)\b/.test(line) && !isTidy(path)) {
        found.push(`${path}: ${line.trim()}`);
      }
      if (/^\s*\/\/.*[=(].*[;{]\s*$/.test(line)) found.push(`${path}: dead code? ${line.trim()}`);
    }
  }
  return found;
};

/** What only tests use of the sources, and why; the list may only shrink. */
const forTestsAlone = new Set([
  // Of the typed client, which is for others to use.
  'src/client/createStreamClient.ts createStreamClient',
  // What proofs will use (docs/decisions/0020-the-money-on-chain.md).
  'src/solvency/sumTree.ts climbTree',
  // Files of the engine, because its hash changes with them.
  'src/engine/book/ladder.ts levelCount',
]);

export const exportWhatIsUsed: Check = (sources) => {
  const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];
  const users = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (path.startsWith('test/')) continue;
    for (const word of new Set(wordsOf(text))) {
      const paths = users.get(word) ?? new Set();
      users.set(word, paths.add(path));
    }
  }
  return inSrc(sources)
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .map(([, name]) => name!)
        .filter((name) => users.get(name)!.size === 1)
        .filter((name) => wordsOf(text).filter((word) => word === name).length === 1)
        .map((name) => `${path} ${name}`),
    )
    .filter((each) => !forTestsAlone.has(each));
};

const fileLinesMax = 400;
const functionLinesMax = 60;
const columnsMax = 100;

export const keepSizes: Check = (sources) => {
  const found: string[] = [];
  for (const { path, lines } of inSrc(sources)) {
    const size = lines.length - 1;
    if (size > fileLinesMax) found.push(`${path}: ${size} lines`);
    for (const [index, line] of lines.entries()) {
      const mayBeLonger = isComment(line) || /https?:|\/.*\/[a-z]*/.test(line);
      if (line.length > columnsMax && !mayBeLonger) {
        found.push(`${path}:${index + 1}: ${line.length} columns`);
      }
      const name = /^(?:export )?(?:async )?(?:function\*? (\w+)|const (\w+) = .*=> \{$)/.exec(
        line,
      );
      if (name === null) continue;
      const end = lines.findIndex((each, at) => at > index && /^\};?$/.test(each));
      const length = end - index + 1;
      if (length > functionLinesMax) found.push(`${path} ${name[1] ?? name[2]}: ${length} lines`);
    }
  }
  return found;
};

/** The formatter breaks code and leaves comments as they are. An address may be longer. */
export const wrapComments: Check = (sources) =>
  sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      line.length > columnsMax && isComment(line) && !/https?:/.test(line)
        ? [`${path}:${index + 1}: ${line.length} columns`]
        : [],
    ),
  );

const minutes = 60_000;

/** Ways to set a limit, and the shortest one that each may set. */
const limits: readonly (readonly [pattern: RegExp, leastMs: number])[] = [
  [/\btimeout\s*[:=]\s*([\d_]+)/g, 10 * minutes],
  [/\bconst (?:waitMs|patienceMs) = ([\d_]+)/g, 10 * minutes],
  // Of a whole test: its options, the last argument on its line, and on a line of its own.
  [/\btimeout: ([\d_]+),?\s*\},\s*(?:async )?\(/g, 30 * minutes],
  [/^ *\}, ([\d_]{4,})\);/gm, 30 * minutes],
  [/,\n *([\d_]{4,}),\n *\);/g, 30 * minutes],
];

/** They give up after a second unless a call says otherwise; `expect.poll` has ten minutes. */
const impatient = /\bvi\.wait(?:For|Until)\b/g;

/** A busy machine is no failure: a test has half an hour (vitest.config.ts), a wait ten minutes. */
export const waitLongEnough: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('test/') && !isTidy(path))
    // The longest wait of a browser.
    .filter(({ path }) => path !== 'test/page/patience.ts')
    .flatMap(({ path, text }) => {
      const short = limits.flatMap(([pattern, leastMs]) =>
        [...text.matchAll(pattern)].filter(
          ([, said]) => Number(said!.replaceAll('_', '')) < leastMs,
        ),
      );
      return [...short, ...text.matchAll(impatient)].map(([said]) => `${path}: ${said.trim()}`);
    });

/** Of sources and documents together. */
export const nameFilesThatAreThere: Check = (sources) => {
  const paths = sources.map(({ path }) => `/${path}`);
  const isThere = (name: string): boolean => paths.some((path) => path.endsWith(`/${name}`));
  return sources
    .filter(({ path }) => path.startsWith('src/') || path.endsWith('.md'))
    .flatMap((source) =>
      filesNamedIn(source)
        .filter((name) => !isThere(name))
        .map((name) => `${source.path}: ${name}`),
    );
};

function filesNamedIn({ path, lines, text }: Source): string[] {
  const said = path.endsWith('.md')
    ? [...text.matchAll(/`[^`\n]+`/g)].map(([quoted]) => quoted.slice(1, -1))
    : lines.filter(isComment);
  const pattern = path.endsWith('.md') ? /^[\w./-]+\.(?:tsx?|md)$/g : /[\w/-]+\.(?:tsx?|md)\b/g;
  return said.flatMap((words) => [...words.matchAll(pattern)].map(([name]) => name));
}

export const speakOfProjectAlone: Check = (sources) => {
  const folder = basename(dirname(root));
  const machinePath = new RegExp(`(?<![\\w.])/${folder}/|/root/|/home/\\w+/`);
  const words = /\b(AI agent|language model|Claude|GPT|helper session|registry\.npmjs)\b/i;
  return sources
    .filter(({ path }) => !isTidy(path))
    .flatMap(({ path, lines }) =>
      lines
        .filter((line) => machinePath.test(line) || words.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
};
