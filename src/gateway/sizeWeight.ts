// What the size of a request adds to its weight (AUTH-10). Reading costs processor time; a unit of
// weight pays for 50 µs.

import type { ReadHeaders } from './incomingRequest.ts';
import { bodyBytesMax } from './readBody.ts';

/** Bytes for one unit of weight. A request of an honest client is smaller. */
export const bytesPerWeight = 4096;

/** One unit for every full `bytesPerWeight`. */
export function sizeWeight(bytes: number): number {
  return Math.floor(bytes / bytesPerWeight);
}

/**
 * The weight of an HTTP request's size, by its head. A body without a length counts as the largest;
 * one that is too large to be read counts nothing.
 */
export function headWeight(target: string, headers: ReadHeaders): number {
  const most = bodyBytesMax.fapi;
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  return sizeWeight(target.length + (length <= most ? length : 0));
}
