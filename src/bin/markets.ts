// `evermark markets`: shows, lists and changes markets. Members of the record (OPS-2) are typed as
// NAME=VALUE, or come from a JSON file.

import { readFileSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import { runVerb, type VerbIo } from './operatorVerb.ts';

type Operator = Client['operator'];
type Listed = Parameters<Operator['listMarket']>[0];
type Changed = Parameters<Operator['changeMarket']>[0];

export function runMarkets(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'markets',
      options: ['file'],
      ask: ({ operator, words, options, confirmed }) => {
        const [what, ...rest] = words;
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
