// All reports of a vault, as its events have them.

import type { Hex } from 'viem';
import type { Report } from '../report/report.ts';
import { readCounted } from './readCounted.ts';

/** Ascending by number. Rejects when a node does not answer, or two of them differ. */
export const readReportLog = (urls: readonly string[], vault: Hex): Promise<readonly Report[]> =>
  readCounted<Report>(urls, vault, {
    ...{ what: 'reports', eventName: 'Reported', counter: 'reportCount' },
    numberOf: ({ sequence }) => sequence,
  });
