// How history is written and read. Its lag behind the log is a metric of every reader
// (addReaderMetrics.ts).

import type { Registry } from 'prom-client';
import type { HistoryFigures, HistoryStatus } from '../../archivist/createHistorian.ts';
import type { ReaderFigures } from '../../history/startHistory.ts';
import { addCounters, addGauges } from './addGauges.ts';

/** The writer of the tables, and their reader. */
export type HistoryReported = {
  readonly historian: () => HistoryFigures;
  readonly reads: () => ReaderFigures;
};

const statuses: Readonly<Record<HistoryStatus, number>> = {
  following: 0,
  waiting: 1,
  catchingUp: 2,
  unknown: 3,
  stopped: 4,
};

export function addHistoryMetrics(registry: Registry, { historian, reads }: HistoryReported): void {
  addGauges(registry, [
    ['history_rows_waiting', 'Rows that wait for the database.', () => historian().waiting],
    [
      'history_status',
      'Writing of history: 0 up to date, 1 and 2 catching up, 3 no database, 4 stopped.',
      () => statuses[historian().status],
    ],
    [
      'history_failing',
      'Whether the database does not answer: 1 or 0.',
      () => Number(historian().failing),
    ],
    ['history_reads_waiting', 'Reads that wait for history.', () => reads().waiting],
  ]);
  addCounters(registry, [
    ['history_rows_total', 'Rows written.', () => historian().rows],
    ['history_failures_total', 'Failed writes to the database.', () => historian().failures],
    ['history_reads_total', 'Reads answered.', () => reads().answered],
    ['history_reads_failed_total', 'Reads answered with -1000.', () => reads().failed],
    ['history_reads_behind_total', 'Reads answered with -1007.', () => reads().behind],
    ['history_reads_refused_total', 'Reads refused as overload.', () => reads().overloaded],
  ]);
}
