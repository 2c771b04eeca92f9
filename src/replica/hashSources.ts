// What identifies an engine: the hash of its sources. Comments, white space and the names of files
// do not count, so that a clearer comment is not another engine (docs/decisions/0010).

import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { tokensOf } from './tokensOf.ts';

/** `name` is the path below the root, with `/`; `text` has line feeds. */
export type Source = { readonly name: string; readonly text: string };

/** The file from which an engine is loaded: the only name that counts. */
const entry = 'engine/engine.ts';

/**
 * SHA-256 over the tokens of all files, in hex. Where a file imports another one, the other's hash
 * counts in place of its name. The result covers the sorted hashes of all files. Throws for files
 * that import each other in a circle. Cost: 40 ms of processor time for 160 files.
 */
export function hashSources(sources: readonly Source[]): string {
  const files: Files = new Map();
  for (const { name, text } of sources) {
    files.set(name, { name, tokens: tokensOf(text), hash: '', hashWithoutImports: '' });
  }
  const all = sources.map(({ name }) => hashFile(files, files.get(name)!)).sort();
  return sha256(['evermark engine by tokens 1', files.get(entry)?.hash ?? '', ...all]);
}

/**
 * SHA-256 over names and texts, in hex: what identified an engine before. Logs of that time name
 * engines by it, and it verifies the kept sources of that time.
 */
export function hashSourcesByText(sources: readonly Source[]): string {
  const hash = createHash('sha256');
  for (const { name, text } of sources) hash.update(`${name} ${text.length}\n`).update(text);
  return hash.digest('hex');
}

type File = {
  readonly name: string;
  readonly tokens: readonly string[];
  /** '' until it is known. */
  hash: string;
  hashWithoutImports: string;
};
type Files = Map<string, File>;

const beingHashed = 'being hashed';

function hashFile(files: Files, file: File): string {
  const { name, tokens, hash } = file;
  if (hash === beingHashed) throw new Error(`${name} imports itself over a circle`);
  if (hash !== '') return hash;
  file.hash = beingHashed;
  file.hash = sha256(
    withImports(files, file, (imported, index) =>
      isOfTypes(tokens, index) ? hashWithoutImports(files, imported) : hashFile(files, imported),
    ),
  );
  return file.hash;
}

/** Files may import types in a circle, so the imports of these files do not count here. */
function hashWithoutImports(files: Files, file: File): string {
  if (file.hashWithoutImports === '') {
    file.hashWithoutImports = sha256(withImports(files, file, () => 'imported'));
  }
  return file.hashWithoutImports;
}

/** The tokens of a file; `replace` gives the text that stands for the name of an imported file. */
function withImports(
  files: Files,
  { name, tokens }: File,
  replace: (imported: File, index: number) => string,
): string[] {
  return tokens.map((token, index) => {
    if (token[1] !== '.' || !/^['"]/.test(token)) return token;
    const [beforeLast, last] = [tokens[index - 2], tokens[index - 1]!];
    const names = last === 'from' || last === 'import' || (last === '(' && beforeLast === 'import');
    const path = posix.join(posix.dirname(name), token.slice(1, -1));
    const imported = names ? files.get(path) : undefined;
    return imported === undefined ? token : replace(imported, index);
  });
}

/** For a token that names a file: whether the statement says `import type`. */
function isOfTypes(tokens: readonly string[], index: number): boolean {
  if (tokens[index - 1] !== 'from') return false;
  let at = index - 1;
  while (at >= 0 && tokens[at] !== 'import' && tokens[at] !== 'export') at -= 1;
  return tokens[at + 1] === 'type';
}

/** As JSON, so that different parts never give the same text. */
function sha256(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
