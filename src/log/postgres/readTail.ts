// Where the log in the database ends. Up to four batches are written at the same time, so that a
// later one may be there although an earlier one is not. What stands behind such a hole was never
// acknowledged.

import { emptyHead } from '../file/frame.ts';
import { batchesInFlightMax, type LogHead, type LogPlace } from '../log.ts';

/** A batch without its content. */
export type BatchPlace = LogHead & { readonly previousHash: Buffer };

/** How many of the last batches show the end. */
export const tailLength = 4 * batchesInFlightMax;

export type Tail =
  | { readonly kind: 'whole'; readonly head: LogHead }
  /** Batches behind `head` are to be removed. */
  | { readonly kind: 'hole'; readonly head: LogHead }
  | { readonly kind: 'damaged'; readonly why: string };

/**
 * Reads the end from the last `tailLength` batches, in any order. `known` is a batch that this
 * process knows as durable; its row is among the places too, however old it is.
 */
export function readTail(places: readonly BatchPlace[], known: LogPlace): Tail {
  const unknown = whyUnknown(places, known);
  if (unknown !== undefined) return { kind: 'damaged', why: unknown };
  const last = places.toSorted((a, b) => a.position - b.position).slice(-tailLength);
  // A shorter list is the whole log.
  const [first, rest] = last.length < tailLength ? [emptyHead, last] : [last[0]!, last.slice(1)];
  let head: LogHead = first;
  for (const [index, place] of rest.entries()) {
    if (place.position !== head.position + 1) {
      const behind = rest.length - index;
      if (behind < batchesInFlightMax && head.position >= known.position) {
        return { kind: 'hole', head };
      }
      const missing = `batch ${head.position + 1} is missing`;
      return { kind: 'damaged', why: `${missing}, but ${behind} batches follow it` };
    }
    if (!place.previousHash.equals(head.hash)) {
      return { kind: 'damaged', why: `batch ${place.position} does not follow its predecessor` };
    }
    head = { position: place.position, hash: place.hash, time: place.time };
  }
  return { kind: 'whole', head };
}

/** The database went back to an earlier state, or belongs to another log. */
export function whyUnknown(places: readonly BatchPlace[], known: LogPlace): string | undefined {
  if (known.position === 0) return undefined;
  const found = places.find(({ position }) => position === known.position);
  if (found === undefined) return `batch ${known.position}, which was durable, is not there`;
  if (found.hash.toString('hex') === known.hash) return undefined;
  return `batch ${known.position} is another one than the one that was durable`;
}
