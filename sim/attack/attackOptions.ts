// The options of `npm run sim -- attack` on the command line.

import { readNamed, readWhole } from '../life/lifeArguments.ts';
import { type FamilyName, familyNames } from './families.ts';

export type AttackOptions = {
  readonly seed: number;
  /** Scenarios over all families. */
  readonly count: number;
  readonly families: readonly FamilyName[];
  /** Processes; 1 is this one. */
  readonly workers: number;
  /** Whether the markets have brackets and bound an account. */
  readonly bracketed: boolean;
  /** CSV of trades whose moves from second to second are the gaps; undefined: drawn gaps. */
  readonly recording: string | undefined;
  /** A scenario to play instead of a search. */
  readonly replay: string | undefined;
  /** A folder for the scenarios that were found. */
  readonly save: string | undefined;
};

const names = ['--seed', '--count', '--families', '--workers', '--recording', '--replay', '--save'];

/** Throws with a sentence that says what is wrong. */
export function readAttackOptions(args: readonly string[]): AttackOptions {
  const named = readNamed(args, names, ['--unbracketed']);
  const whole = (name: string, otherwise: number): number =>
    readWhole(named.get(name) ?? String(otherwise), name);
  return {
    seed: whole('--seed', 1),
    count: Math.max(1, whole('--count', 10_000)),
    families: readFamilies(named.get('--families')),
    workers: Math.max(1, whole('--workers', 1)),
    bracketed: !named.has('--unbracketed'),
    recording: named.get('--recording'),
    replay: named.get('--replay'),
    save: named.get('--save'),
  };
}

function readFamilies(text: string | undefined): readonly FamilyName[] {
  if (text === undefined) return familyNames;
  return text.split(',').map((name) => {
    if (familyNames.includes(name as FamilyName)) return name as FamilyName;
    throw new Error(`${name} is no family of attacks; there are ${familyNames.join(', ')}`);
  });
}
