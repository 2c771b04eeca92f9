// Which rows of a list a native request asks for: the window of FAPI's lists under native names.

import type { Market } from '../../engine/views/market.ts';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import { limitParameter, timeParameters, windowOf } from '../fapi/windowOf.ts';
import { optional, rowIdParameter } from '../parameterSchema.ts';

const bounds = { normal: 100, most: 1000 };

export const nativeWindowParameters = {
  from: optional(rowIdParameter({ description: 'The row of this id and those after it.' })),
  start_time: timeParameters.startTime,
  end_time: timeParameters.endTime,
  limit: limitParameter(bounds.normal, bounds.most),
};

type Sent = {
  readonly from?: RowWindow['from'];
  readonly symbol?: Market | undefined;
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly limit?: number | undefined;
};

/** The first rows from `start_time` or `from` on; without either, the last rows. */
export function nativeWindow({ symbol, from, start_time, end_time, limit }: Sent): RowWindow {
  return { ...windowOf({ symbol, startTime: start_time, endTime: end_time, limit }, bounds), from };
}
