// The words in which the archivist and those who ask it speak of the keeper's reports (KPR-1).

/** The batches after `from` up to `to`, and the root of their rows. */
export type Stretch = { readonly from: number; readonly to: number; readonly digest: string };

/** A stretch under its number, as the vault has it or shall have it. */
export type Report = Stretch & { readonly sequence: number };

/**
 * `right`: the log gives the same root. `ahead`: the log does not reach so far. `unknown`: what the
 * stretch needs of the log is not there any more. `later`: it is being read; ask again.
 */
export type ReportJudgement = 'right' | 'wrong' | 'ahead' | 'unknown' | 'later';

/** `open`: no period has ended since. A later `from` than was asked: what lies before is gone. */
export type NextStretch = Stretch | 'open' | 'later';

/** A period ends between two batches when the log's time passes a multiple of it: 5 minutes. */
export const reportPeriodMs = 300_000;
