// Whether ARCHITECTURE.md is true: the folders that it names are there, each folder of the sources
// has a row, and its table of imports is the one that tidy checks.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { engineBreaches, importTable, rowsOf } from './imports.ts';
import { inSrc, root, type Source } from './source.ts';

type Row = { readonly folders: readonly string[]; readonly imports: string };

/** The rows whose first column names folders or files of src: `engine/book/`, `threads.ts`. */
const rowsIn = (text: string): Row[] =>
  [...text.matchAll(/^\| (`[\w./-]+(?:\/|\.ts)`.*?) \|.*\|(.*)\|$/gm)].map(
    ([, first, imports]) => ({
      folders: [...first!.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!),
      imports: imports!.trim(),
    }),
  );

export function problemsOfArchitecture(text: string, sources: readonly Source[]): string[] {
  const rows = rowsIn(text);
  const named = new Set(rows.flatMap(({ folders }) => folders));
  const unnamed = inSrc(sources)
    .flatMap(({ path }) => placesOf(path))
    .filter((place) => !named.has(place));
  return [
    ...[...new Set(unnamed)].map((place) => `no row names src/${place}`),
    ...goneIn(text),
    ...rows.flatMap(({ folders, imports }) =>
      folders.flatMap((folder) => differenceOf(folder, imports)),
    ),
  ];
}

/** Of `src/engine/book/level.ts`: `engine/` and `engine/book/`; other folders have one row. */
function placesOf(path: string): string[] {
  const [, folder, part, file] = path.split('/');
  if (part === undefined) return [folder!];
  return folder === 'engine' && file !== undefined
    ? ['engine/', `engine/${part}/`]
    : [`${folder}/`];
}

/** Folders that a line names: from the root, from src, or within the folder of its row. */
function goneIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const ofRow = /^\| `([\w-]+\/)`/.exec(line)?.[1];
    const starts = ['', 'src/', ...(ofRow === undefined ? [] : [`src/${ofRow}`])];
    return [...line.matchAll(/`([\w-]+(?:\/[\w-]+)*\/)`/g)]
      .map(([, folder]) => folder!)
      .filter((folder) => !starts.some((start) => existsSync(join(root, start, folder))))
      .map((folder) => `${folder} is not there`);
  });
}

/** The words of the last column: `+ api, client (types)`, `not book, clearing`. */
function wordsOf(imports: string): string[] {
  const plain = imports.replace(/\([^)]*\)/g, '').replace(/^not /, '');
  const words = plain.split(/,| and /).map((word) => word.trim());
  const first = words[0]!.startsWith('+ ')
    ? ['std', 'units', 'engine', words[0]!.slice(2)]
    : [words[0]!];
  return [...first, ...words.slice(1)].filter((word) => word !== '' && word !== 'nothing').sort();
}

function differenceOf(folder: string, imports: string): string[] {
  const checked = checkedOf(folder.replace(/\/$/, ''));
  const said = `${imports.startsWith('not ') ? 'not ' : ''}${wordsOf(imports).join(', ')}`;
  if (checked === undefined || checked === said) return [];
  return [`${folder} may import ${said} by the document, ${checked} by test/tidy/imports.ts`];
}

const partsOfEngine = 'book clearing codec invariants operations pricing snapshot triggers views';

/** What tidy lets a folder import; of a part of the engine, what it may not. */
function checkedOf(folder: string): string | undefined {
  const breaches = engineBreaches[folder.replace('engine/', '')];
  if (folder.startsWith('engine/')) {
    const parts = partsOfEngine.split(' ').filter((part) => breaches?.test(`src/engine/${part}/`));
    return breaches === undefined ? undefined : `not ${parts.join(', ')}`;
  }
  const allowed = importTable[folder];
  if (allowed === undefined) return undefined;
  const rows = Object.keys(importTable).filter((other) =>
    rowsOf[folder]?.test(`src/${other}/rows.ts`),
  );
  return [...new Set([...allowed, ...rows])].sort().join(', ');
}
