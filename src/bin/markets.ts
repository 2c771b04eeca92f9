// `evermark markets`: shows, lists and changes markets, and derives tables of brackets (OPS-7).
// Members of the record (OPS-2) are typed as NAME=VALUE, or come from a JSON file.

import { readFileSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import { runVerb, type VerbIo } from './operatorVerb.ts';

type Operator = Client['operator'];
type Listed = Parameters<Operator['listMarket']>[0];
type Changed = Parameters<Operator['changeMarket']>[0];
type Table = Awaited<ReturnType<Operator['getBracketTable']>>;

export function runMarkets(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'markets',
      options: ['file', 'fund', 'gap'],
      ask: ({ operator, words, options, confirmed }) => {
        const [what, ...rest] = words;
        const { fund, gap } = options;
        if (what === 'brackets') {
          const [symbol, ...more] = rest;
          if (symbol === undefined || fund === undefined || gap === undefined) return undefined;
          if (more.length > 0 || options.file !== undefined) return undefined;
          const asked = operator.getBracketTable({ symbol, fund, gap });
          return asked.then((table) => recordOf(table, io));
        }
        if (fund !== undefined || gap !== undefined) return undefined;
        if (what === undefined) return operator.listOperatorMarkets();
        const file = options.file === undefined ? {} : readRecord(options.file);
        if (what === 'list') {
          const members = readMembers(rest);
          // The server says which members are missing or wrong.
          return (
            members &&
            operator.listMarket({ ...file, ...members, ...confirmed } as unknown as Listed)
          );
        }
        const [symbol, ...changes] = rest;
        const members = readMembers(changes);
        if (what !== 'change' || symbol === undefined || members === undefined) return undefined;
        return operator.changeMarket({ ...file, ...members, ...confirmed, symbol } as Changed);
      },
    },
    args,
    io,
  );
}

/**
 * Explains the table on standard error, and gives the members that `markets change` takes from a
 * file.
 */
function recordOf(table: Table, { complain }: VerbIo): Pick<Table, 'brackets' | 'gap_rate'> {
  const { symbol, fund_usd, hole_usd, brackets, gap_rate, steps } = table;
  for (const [i, { leverage, text }] of steps.entries())
    complain(`${i + 1}. ${leverage}x. ${text}`);
  complain(
    `Together a gap costs the fund at most ${hole_usd} of ${fund_usd} USDT. Nothing is changed ` +
      `yet: write the output to FILE, then type: evermark markets change ${symbol} --file FILE`,
  );
  return { brackets, gap_rate };
}

function readRecord(path: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error(`${path} does not hold one market record.`);
  }
  return { ...parsed };
}

/** `index_sources=[{…}]` is JSON, everything else is text; undefined without an equals sign. */
function readMembers(words: readonly string[]): Record<string, unknown> | undefined {
  const members: Record<string, unknown> = {};
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals <= 0) return undefined;
    const value = word.slice(equals + 1);
    members[word.slice(0, equals)] = value.startsWith('[') ? (JSON.parse(value) as unknown) : value;
  }
  return members;
}
