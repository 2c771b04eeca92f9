// All anchors that a vault has accepted, as its events have them.

import type { Hex } from 'viem';
import type { Anchor } from '../vaultTypes.ts';
import { readCounted } from './readCounted.ts';

/** Ascending by epoch. Rejects when a node does not answer, or two of them differ. */
export async function readAnchorLog(
  urls: readonly string[],
  vault: Hex,
): Promise<readonly Anchor[]> {
  const events = await readCounted<{ readonly anchor: Anchor }>(urls, vault, {
    ...{ what: 'anchors', eventName: 'Anchored', counter: 'epoch' },
    numberOf: ({ anchor }) => anchor.epoch,
  });
  return events.map(({ anchor }) => anchor);
}
