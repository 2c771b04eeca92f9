// The sources of the vault with one mistake in them.

import { readSources } from './compile.ts';
import type { Mutant } from './mutants.ts';

/** The changed file by its path. Throws unless the right text is there once. */
export function mutated({ file, right, wrong }: Mutant): Record<string, string> {
  const path = `contracts/vault/${file}`;
  const parts = readSources()[path]!.split(right);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${right}`);
  return { [path]: parts.join(wrong) };
}
