// In what a claim about a tree differs from the tree, for a person.

import type { TreeClaim } from './createTreeMaker.ts';

/** Nothing when it is right. */
export function claimDifferences(claim: TreeClaim, right: TreeClaim): readonly string[] {
  const names = Object.keys(right) as (keyof TreeClaim)[];
  return names
    .filter((name) => claim[name] !== right[name])
    .map((name) => `${name} is ${claim[name]}, and ${right[name]} would be right`);
}
