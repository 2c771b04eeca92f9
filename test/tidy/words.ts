// Which words no document, message or comment may use: a reader who learnt English at school
// stumbles over them, and docs/glossary.md has the terms that take their place.

import { type Check, isComment, type Source } from './source.ts';

const oldWords =
  /\b(?:un)?told\b|\btell(?:s|ing)?\b|\b(?:who|which|whom)ever\b|\bnobody\b|\black(?:s|ed|ing)?\b|\b(?:theirs|his|hers)\b/gi;

/** This folder contains the words that it looks for. */
const isTidy = (path: string): boolean => /^test\/tidy[./]/.test(path);

const offencesIn = (path: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    [...text.matchAll(oldWords)].map(([word]) => `${path}: "${word}" in ${text}`),
  );

/** Code, quoted titles and the words that the glossary replaces are not prose. */
const proseOf = ({ path, text }: Source): string[] =>
  (path === 'docs/glossary.md' ? text.split('\n## Words that we replace')[0]! : text)
    .split('\n')
    .map((line) => line.replace(/`[^`]*`/g, '').trim());

export const writePlainDocuments: Check = (sources) =>
  sources
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((source) => offencesIn(source.path, proseOf(source)));

const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Of a string only sentences count: no single words, and no expressions inside of it. */
const sentencesIn = (line: string): string[] =>
  (line.match(quoted) ?? [])
    .map((text) => text.replace(/\$\{[^}]*\}/g, '…'))
    .filter((text) => text.includes(' '));

export const writePlainMessages: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, lines }) =>
      offencesIn(path, lines.filter((line) => !isComment(line)).flatMap(sentencesIn)),
    );

const commentOf = (line: string): string =>
  isComment(line) ? line.trim() : (/\s(\/\/ .*)$/.exec(line.replace(quoted, ''))?.[1] ?? '');

export const writePlainComments: Check = (sources) =>
  sources
    .filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path) && !isTidy(path))
    .flatMap(({ path, lines }) => [
      ...offencesIn(path, lines.map(commentOf)),
      ...offencesIn(path, lines.filter(isOfScenario).map(withoutHis)),
    ]);

const isOfScenario = (line: string): boolean => /^\s*# /.test(line);

/** The traders of a scenario are persons. */
const withoutHis = (line: string): string => line.trim().replace(/\bhis\b/gi, '…');

const titles =
  /\b(?:test|it|describe|scenario|eachDatabase)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;

/** Titles of tests, which the rules quote. */
export const writePlainTitles: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('test/') && !isTidy(path))
    .flatMap(({ path, text }) =>
      offencesIn(
        path,
        [...text.matchAll(titles)].map(([, , title]) => title!),
      ),
    );
