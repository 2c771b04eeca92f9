// The reports of the liquidation keeper as the chain service sees them (KPR-1): what the vault has,
// and who knows what the log says. The rows themselves are the archivist's.

import type { Hex } from 'viem';

/** `report(sequence, from, to, digest)` of the vault; the places are batches of the log. */
export type Report = {
  readonly sequence: bigint;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Hex;
};

/** What the vault says of the keeper in a block. */
export type KeeperState = {
  readonly reportCount: bigint;
  /** Whether the account that was asked for may report. */
  readonly isKeeper: boolean;
};

/** Blocks in which a report is looked for, both included. */
export type BlockWindow = { readonly from: bigint; readonly to: bigint };

/**
 * `right`: the log gives the same digest. `ahead`: the log does not reach so far. `unknown`: the
 * log before is not there any more. `later`: it is being read; ask again.
 */
export type Judgement = 'right' | 'wrong' | 'ahead' | 'unknown' | 'later';

/** `open`: nothing to report yet. A later `from` than was asked: what lies before is gone. */
export type NextReport = Pick<Report, 'from' | 'to' | 'digest'> | 'open' | 'later';

/** Who knows the log. */
export type ReportSource = {
  readonly judgeReport: (report: Report) => Promise<Judgement>;
  /** Whether it has published exactly this one, after the ones before it. */
  readonly isPublished: (report: Report) => Promise<boolean>;
  /** The stretch after a batch; it is published under this number before it is sent. */
  readonly nextReport: (after: bigint, sequence: bigint) => Promise<NextReport>;
};

/** How the keeper stands; what operators see (OPS-3). */
export type KeeperStanding = {
  /** Whether the gas account may report. */
  readonly isKeeper: boolean;
  /** A stretch has ended and is in no block. */
  readonly pending: number;
  /** Reports in blocks that are not final. */
  readonly submitted: number;
  /** Reports in final blocks, of all time. */
  readonly confirmed: number;
  /** Since the start: transactions that were reverted or replaced. */
  readonly failed: number;
  /** The last batch that right reports in final blocks cover. */
  readonly reportedTo: number;
  /** Something is to be reported, and for three periods nothing has come into a block. */
  readonly isLate: boolean;
};
