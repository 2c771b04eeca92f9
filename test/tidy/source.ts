// The files that tidy checks, and what it reads from each of them.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export type Source = {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
};

/** A rule of the house: its offences, as sentences that begin with the file. */
export type Check = (sources: readonly Source[]) => string[];

export const sourceOf = (path: string, text: string): Source => ({
  path,
  text,
  lines: text.split('\n'),
});

const read = (path: string): Source => sourceOf(path, readFileSync(join(root, path), 'utf8'));

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (!statSync(join(root, path)).isDirectory()) return pattern.test(name) ? [path] : [];
    return name === 'node_modules' ? [] : filesBelow(path, pattern);
  });
}

/** Declarations of types alone have no code. */
const code = /(?<!\.d)\.(tsx?|mjs)$/;

/** Everything except the documents. */
export const everything: readonly Source[] = [
  'src',
  'test',
  'bench',
  'sim',
  'fuzz',
  'kills',
  'mutation',
  'scripts',
  'contracts',
].flatMap((folder) => filesBelow(folder, code).map(read));

export const documents: readonly Source[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs', /\.md$/),
  ...filesBelow('bench', /\.md$/),
].map(read);

export const inSrc = (sources: readonly Source[]): Source[] =>
  sources.filter(({ path }) => path.startsWith('src/'));

export const isComment = (line: string): boolean => /^\s*(\/\/|\*|\/\*)/.test(line);

/** Each line of code that matches, as an offence. */
export const linesOf = ({ path, lines }: Source, pattern: RegExp): string[] =>
  lines
    .filter((line) => pattern.test(line) && !isComment(line))
    .map((line) => `${path}: ${line.trim()}`);

export type Import = { readonly path: string; readonly typeOnly: boolean };

/** What a file imports by path, as paths from the root. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  for (const match of source.text.matchAll(/^import\s+(type\s)?[^'"]*?['"](\.[^'"]+)['"]/gms)) {
    const path = relative(root, resolve(root, dirname(source.path), match[2]!));
    found.push({ path, typeOnly: match[1] !== undefined });
  }
  return found;
}

export const valueImports = (source: Source): string[] =>
  importsOf(source)
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ path }) => path);

/** `src/engine/book/book.ts` is of the folder `engine`. */
export const folderOf = (path: string): string => path.split('/')[1]!;

export const nameOf = (path: string): string => basename(path).replace(/\.tsx?$/, '');
