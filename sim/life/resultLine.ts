// The result of a run, as its one line of JSON.

import type { LifeResult } from './runLife.ts';

/** The same run gives the same line. */
export function resultLine(result: LifeResult): string {
  const { seed, commands, faults, kills, counts, hours, violations, stateHash } = result;
  const sorted = (record: object): object =>
    Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
  return JSON.stringify({
    seed,
    commands,
    faults: sorted(faults),
    kills,
    hours,
    counts: sorted(counts),
    violations: violations.length,
    state_hash: stateHash,
  });
}
