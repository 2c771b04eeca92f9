// The figures that a benchmark must reach, and whether it does.

import { say } from './report.ts';

export type Target = {
  /** In the result. */
  readonly name: string;
  readonly unit: string;
  readonly what: string;
} & ({ readonly most: number } | { readonly least: number });

export type Figures = Readonly<Record<string, number>>;

export type Verdicts = {
  /** The names of the targets that are missed. */
  readonly missed: readonly string[];
  /** Of those that the figure keeps, but under less than the target asks for. */
  readonly unclear: readonly string[];
};

/**
 * Prints a line for each target that was measured. `whyUnclear` is empty when a figure was measured
 * as its target asks.
 */
export function sayTargets(
  targets: readonly Target[],
  figures: Figures,
  whyUnclear: (name: string, figures: Figures) => string = () => '',
): Verdicts {
  const missed: string[] = [];
  const unclear: string[] = [];
  for (const target of targets) {
    const { name, unit, what } = target;
    const value = figures[name];
    if (value === undefined) continue;
    const why = whyUnclear(name, figures);
    const isMissed = 'most' in target ? value > target.most : value < target.least;
    const bound = 'most' in target ? `at most ${target.most}` : `at least ${target.least}`;
    const verdict = isMissed ? 'MISSED' : why === '' ? 'holds' : 'unclear';
    if (verdict === 'MISSED') missed.push(name);
    if (verdict === 'unclear') unclear.push(name);
    say(`${verdict.padEnd(7)} ${what}: ${value} of ${bound} ${unit}${why}`);
  }
  return { missed, unclear };
}
