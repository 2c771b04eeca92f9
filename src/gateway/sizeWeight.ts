// What the size of a request adds to its weight (AUTH-10): reading it costs processor time, and a
// unit of weight pays for 50 µs.

import type { IncomingHttpHeaders } from 'node:http';
import { bodyBytesMax } from './readBody.ts';

/** Bytes that a unit of weight pays for; a request of an honest client has fewer. */
export const bytesPerWeight = 4096;

/** For every full `bytesPerWeight` one. */
export function sizeWeight(bytes: number): number {
  return Math.floor(bytes / bytesPerWeight);
}

/**
 * Of a request over HTTP, as its head announces it: a body without a length counts as the largest,
 * and one that is too large to be read as none.
 */
export function headWeight(target: string, headers: IncomingHttpHeaders): number {
  const most = bodyBytesMax.fapi;
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  return sizeWeight(target.length + (length <= most ? length : 0));
}
