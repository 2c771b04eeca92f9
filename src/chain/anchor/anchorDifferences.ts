// In what an anchor differs from a tree, for a person.

import type { TreeClaim } from '../../solvency/createTreeMaker.ts';
import type { Anchor } from '../vaultTypes.ts';
import { anchorOf } from './anchorOf.ts';

/** Nothing when it is right. */
export function anchorDifferences(anchor: Anchor, claim: TreeClaim): readonly string[] {
  const expected = anchorOf(claim, anchor.epoch);
  const names = Object.keys(expected) as (keyof Anchor)[];
  return names
    .filter((name) => anchor[name] !== expected[name])
    .map((name) => `${name} is ${anchor[name]} in the anchor and ${expected[name]} in the tree`);
}
