// Finds what a report says. The vault's storage counts reports and the chain's log has their
// content: the count proves that the report is there, so an empty answer is never believed.

import { askQuorum } from '../service/askQuorum.ts';
import type { VaultNode } from '../vaultNode.ts';
import type { Report } from './report.ts';

/** Public nodes answer for at least so many blocks at once. */
const windowBlocks = 2000n;
const windowsPerRoundMax = 8;

/** Where the search goes on; a new one begins at the final block. */
export type ReportSearch = { readonly sequence: bigint; readonly below: bigint };

export type FoundReport =
  | { readonly kind: 'found'; readonly report: Report }
  /** The next round goes on from there. */
  | { readonly kind: 'searching'; readonly search: ReportSearch }
  | { readonly kind: 'noQuorum'; readonly search: ReportSearch }
  /** All nodes deny it back to the vault's first block. */
  | { readonly kind: 'missing' };

/** Looks backwards, because the report that is asked for is the newest one, or nearly. */
export async function findReport(
  nodes: readonly VaultNode[],
  search: ReportSearch,
  deployBlock: bigint,
): Promise<FoundReport> {
  const { sequence } = search;
  let { below } = search;
  for (let made = 0; made < windowsPerRoundMax; made += 1) {
    if (below <= deployBlock) return { kind: 'missing' };
    const first = below - windowBlocks;
    const window = { from: first < deployBlock ? deployBlock : first, to: below - 1n };
    const found = await askQuorum(nodes, (node) => node.report(sequence, window));
    if (found === undefined) return { kind: 'noQuorum', search: { sequence, below } };
    if (found !== null) return { kind: 'found', report: found };
    below = window.from;
  }
  return { kind: 'searching', search: { sequence, below } };
}
