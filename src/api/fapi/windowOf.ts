// Which rows of a list a request asks for (conventions, 1.6): the parameters, and the window that
// they make.

import type { Market } from '../../engine/views/market.ts';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import { integerParameter, optional } from '../parameterSchema.ts';

/** The last millisecond of the year 9999. */
const timeMax = 253_402_300_799_999;

const time = integerParameter({ min: 0, max: timeMax, description: 'Milliseconds; included.' });

export const timeParameters = { startTime: optional(time), endTime: optional(time) };

/** A limit above the maximum is reduced to it; a limit below 1 is malformed (ORD-12). */
export function limitParameter(normal: number, most: number) {
  const description = `${normal} when absent, at most ${most}.`;
  // A number that a JSON reader cannot hold exactly is not accepted.
  return optional(integerParameter({ min: 1, max: Number.MAX_SAFE_INTEGER - 1, description }));
}

type Sent = {
  readonly symbol?: Market | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit?: number | undefined;
};

/** The window of a request. With a startTime later than the endTime the window has no rows. */
export function windowOf(
  { symbol, startTime, endTime, limit }: Sent,
  { normal, most }: { readonly normal: number; readonly most: number },
): RowWindow {
  return { market: symbol?.id, startTime, endTime, limit: Math.min(limit ?? normal, most) };
}
