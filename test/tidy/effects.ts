// What code may not do: read the clock, draw chance, wait, move money outside its owner, write
// without the sentence that says from where an operation must succeed.

import { type Check, inSrc, isComment, linesOf, type Source } from './source.ts';

/** In whatever way it is written: `new Date`, `globalThis.Date`, `const D = Date`. */
const clock = /\b(?:Date|performance|hrtime)\b/;
const chance = /\bMath\s*\.\s*random\b|\bMath\s*\[|\brandom\b[^}]*\}\s*=\s*Math\b|=\s*Math\s*[;,]/;
const platform =
  /\b(?:globalThis|global|process|setTimeout|setInterval|setImmediate|queueMicrotask|require|fetch|async|await|Promise|eval|crypto)\b|from 'node:|\bimport\s*\(|\bFunction\s*\(/;

export const stayPure: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/engine/'))
    .map(withoutText)
    .flatMap((source) => [clock, chance, platform].flatMap((each) => linesOf(source, each)));

/** What strings and comments at the end of a line say is no code. */
function withoutText(source: Source): Source {
  const lines = source.lines.map((line) =>
    /\bfrom '/.test(line)
      ? line
      : line.replace(/'(?:[^'\\]|\\.)*'/g, "''").replace(/\s\/\/ .*$/, ''),
  );
  return { ...source, lines };
}

/** `Date.UTC` and `new Date(time)` only compute; the wall clock is the rest, by an alias too. */
const wallClock =
  /\bDate\s*\.\s*now\b|\bDate\s*\[|\bnew Date\b(?!\()|\bDate\(\s*\)|\b(?:globalThis|global)\s*(?:\.\s*Date\b|\[)|=\s*Date\s*[;,)]|\}\s*=\s*(?:Date|globalThis)\b/;
const environment = /\bprocess\s*(?:\.\s*env\b|\[)|\benv\b[^}]*\}\s*=\s*process\b|=\s*process\s*;/;

export const readNoClock: Check = (sources) =>
  inSrc(sources).flatMap((source) => {
    const { path } = source;
    const timed = path === 'src/std/clock.ts' ? [] : linesOf(withoutText(source), wallClock);
    const free = path === 'src/config.ts' || path.startsWith('src/bin/');
    const configured = free ? [] : linesOf(source, environment);
    return [...timed, ...linesOf(withoutText(source), chance), ...configured];
  });

type Owned = {
  /** The fields, and in front of them what names a record that has them. */
  readonly record: string;
  readonly fields: string;
  readonly owners: RegExp;
};

const moneyOwners = /^src\/engine\/(?:clearing\/ledger|undo|snapshot\/snapshot\w*)\.ts$/;

/** Whatever the variable is called: only those that are no account are named. */
const owned: readonly Owned[] = [
  { record: String.raw`(?!sums\b|totals\b)\w+`, fields: 'available|freezes', owners: moneyOwners },
  // A position has its own collateral, which is a part of the account's.
  {
    record: String.raw`(?!sums\b|totals\b|position\b)\w+`,
    fields: 'collateral',
    owners: moneyOwners,
  },
  {
    record: String.raw`(?!sums\b|totals\b|check\b)\w+`,
    fields: 'feeRevenue|referralPayable|pendingWithdrawals|shortfall|deposits',
    owners: moneyOwners,
  },
  { record: 'funds', fields: String.raw`(?!epoch\b)\w+`, owners: moneyOwners },
  {
    record: String.raw`(?:level|\w+Level)`,
    fields: 'lots',
    owners: /^src\/engine\/(?:book\/book|reduceOrder|undo)\.ts$/,
  },
];

const assigned = String.raw`\s*(?:(?:[-+*/%&|^]|\*\*|\?\?|&&|\|\||<<|>>|>>>)?=(?![=>])|\+\+|--)`;

/** `record.field = …`, `record!['field'] += …`, `record.field++`, `--record.field`. */
const writesOf = ({ record, fields }: Owned): RegExp => {
  const left = String.raw`\b${record}[\])!]*\s*(?:\.\s*(?:${fields})\b|\[\s*['"](?:${fields})['"]\s*\])`;
  return new RegExp(String.raw`${left}${assigned}|(?:\+\+|--)(?:[\w.!]*\.)?${left}`);
};

/** A record that is written all at once. */
const assign = /\bObject\.assign\(\s*(?:\w+\.)*(?:\w*account|fund|funds|maker|taker|level)\b/i;

export const moveMoneyInLedger: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/engine/'))
    .flatMap((source) => [
      ...owned
        .filter(({ owners }) => !owners.test(source.path))
        .flatMap((each) => linesOf(source, writesOf(each))),
      ...linesOf(source, assign),
    ]);

/**
 * STYLE 12: an operation that begins to write says that from there it, by its name, must succeed.
 */
export const sayWhereCommitted: Check = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/engine/operations/'))
    .filter(({ lines }) =>
      lines.some((line) => /\bexchange\.committed = true/.test(line) && !isComment(line)),
    )
    .filter(({ text }) => {
      const named = [...text.matchAll(/From here (.*?) must succeed\./g)].map(([, name]) => name!);
      const isOwn = (name: string): boolean => text.includes(`export function ${name}(`);
      return named.length === 0 || !named.every(isOwn);
    })
    .map(({ path }) => path);
