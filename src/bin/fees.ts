// `evermark fees`: shows the table of fee tiers, or replaces it with the table in a JSON file.

import { readFileSync } from 'node:fs';
import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runFees(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'fees',
      ask: ({ operator, words }) => {
        const [file = 'show', ...more] = words;
        if (more.length > 0) return undefined;
        return file === 'show'
          ? operator.getFeeTiers()
          : operator.setFeeTiers({ tiers: readTiers(file) });
      },
    },
    args,
    io,
  );
}

/** A list of tiers, or the output of `show`. */
function readTiers(path: string): readonly unknown[] {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(parsed)) return parsed;
  const { tiers } = (parsed ?? {}) as { readonly tiers?: unknown };
  if (Array.isArray(tiers)) return tiers;
  throw new Error(`${path} does not hold a list of tiers.`);
}
