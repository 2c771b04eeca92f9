// How a pair takes its places: it is found by number, and its position knows it. followPairs.ts
// removes it.

import { positionIn } from './account.ts';
import type { Exchange } from './exchange.ts';
import { type Attachments, createAttachments, type Pair } from './pair.ts';
import type { Position } from './position.ts';

/**
 * Lists a pair that is newer than all others, or that a snapshot restores in the order of numbers.
 */
export function listPair(exchange: Exchange, pair: Pair): void {
  exchange.pairs.set(pair.name.id, pair);
  const account = exchange.accounts[pair.account]!;
  attachmentsOf(positionIn(account, pair.market)).pairs.push(pair);
}

/** The pairs of a position; from now on they follow its changes. */
export function attachmentsOf(position: Position): Attachments {
  position.attachments ??= createAttachments();
  return position.attachments;
}
