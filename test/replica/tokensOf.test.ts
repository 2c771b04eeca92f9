// Goal: comments and white space are no tokens, and everything else is. Method: our tokens beside
// those of TypeScript's scanner, over every source of the engine and of the project, and over
// planted cases in which a `/` or a `}` is hard to read.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../../src/replica/tokensOf.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { scannedTokens } from './scannedTokens.ts';

const root = resolve(import.meta.dirname, '../..');

const withoutBreaks = (tokens: readonly string[]): string[] =>
  tokens.filter((token) => token !== '\n');

const planted = [
  'const half = total / 2 / parts; // a / comment /',
  'const found = /[/\\]"`]+\\/(?<name>x)/giu.test(text) ? 1 / 2 : /=/.source;',
  'if (open) /a"b/.test(text); while (next()) /c/.exec(text);',
  'const share = (a + b) / count[0] / f(x) / 3;',
  'const ratio = count! / total! / 2; const no = !/x/.test(text);',
  'i++ / 2; const j = i-- / 3;',
  `const text = \`a \${\`b \${{ c: 1 }.c / 2} // no comment\`} /* nor this */ \${/}\`/.source} \\\` \\\${\`;`,
  'const plain = `no substitution / $ { }`;',
  'const object = { a: 1 } / 2; function f() {} /x/.test("y");',
  'const f = () => { return /x/; }; const g = () => ({}) / 1;',
  'const quoted = \'it\\\'s // no comment\' + "/* nor \\" this */";',
  'const n = 0xFFn + 1_000.5e-3 + .5 + 1. + 0b11 + 5n + 1..toFixed();',
  'const c = a ?.5 : b?.c ?? d?.[0]; a ??= b; a ||= c; a &&= d; a **= 2; a >>>= 3; a >>= 1;',
  'type A = Map<string, Map<string, Array<number>>>; const s = 1 >> 2 >>> 3 >= 4;',
  'const größe = 1; const \\u0061b = größe; const $_ = "😀";',
  'obj.return / 2; obj.of / 3; obj?.in / 4; x.if(1) / 5;',
  'for (const x of /a/g[Symbol.matchAll]("b")) x; typeof /a/; void /b/;',
  'label: for (;;) { break label; }',
  'class Bad extends Error { #code = 1; get code() { return this.#code / 2; } }',
  'const a = b\n/c/g.test; const d = [1] / 2; switch (a) { case /x/: break; default: /y/.test(""); }',
  '/* open */ /** doc **/ // end',
  '',
];

describe('the tokens are those of TypeScript', () => {
  test.each(planted.map((text) => [text]))('%s', (text) => {
    expect(withoutBreaks(tokensOf(text))).toEqual(scannedTokens(text));
  });

  test.each(['src', 'sim', 'bench', 'fuzz', 'kills', 'mutation'])(
    'of every file of %s',
    (folder) => {
      const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
      const files = names.filter((name) => name.endsWith('.ts'));
      expect(files.length).toBeGreaterThan(5);
      for (const name of files) {
        const text = readFileSync(join(root, folder, name), 'utf8');
        expectSame(withoutBreaks(tokensOf(text)), scannedTokens(text), name);
      }
    },
  );
});

describe('what changes the hash', () => {
  const base = 'export function half(count: number): number {\n  return count / 2;\n}\n';

  test.each([
    ['a comment', base.replace('{', '{ // why')],
    ['a comment with code in it', base.replace('{', '{ /* return 3; `${ */')],
    ['white space', base.replaceAll(' ', '\t\n ').replace('return\t\n count', 'return   count')],
    ['a comment between two words', base.replace('return ', 'return/**/')],
    ['other line ends', base.replaceAll('\n', '\r\n')],
    ['no white space', base.replaceAll('\n  ', '').replace(' / ', '/')],
  ])('not %s', (_, text) => {
    expect(tokensOf(text)).toEqual(tokensOf(base));
  });

  test.each([
    ['a name', base.replaceAll('count', 'sum')],
    ['a number', base.replace('2', '20')],
    ['an operator', base.replace('/', '%')],
    ['an operator of two characters', base.replace('/', '**')],
    ['the type', base.replace('count: number', 'count: bigint')],
    ['a line break that ends a statement', base.replace('return ', 'return\n')],
    ['one in a comment', base.replace('return ', 'return /* \n */ ')],
    ['white space inside of a word', base.replace('half', 'ha lf')],
  ])('%s', (_, text) => {
    expect(tokensOf(text)).not.toEqual(tokensOf(base));
  });

  test.each([
    ["'a b'", "'a  b'"],
    ['`a // b`', '`a //  b`'],
    ['/a b/', '/a  b/'],
    ['a + +b', 'a++b'],
    ['a\n++b', 'a++\nb'],
    ['a < b', 'a << b'],
    [`\`\${a}b\``, `\`\${a} b\``],
  ])('%s is not %s', (one, other) => {
    expect(tokensOf(one)).not.toEqual(tokensOf(other));
  });

  test('text that is not TypeScript has tokens too, and always an end', () => {
    for (const text of [
      "'open",
      '`open ${',
      '/* open',
      '"',
      '}}))',
      '\\',
      '/',
      '#',
      '\u0000',
      '`${`${',
    ]) {
      expect(tokensOf(`a ${text}`).join(''), text).toBe(text === '/* open' ? 'a' : `a${text}`);
    }
  });
});
