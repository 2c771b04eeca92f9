// The log as the keeper's reports see it: batches with rows, some of which end a period. It answers
// as the archivist does, and can be put back to an earlier state, as by an old backup.

import type { Hex } from 'viem';
import { rootOf } from '../../src/archivist/report/hashTree.ts';
import type { Judgement, NextReport, Report } from '../../src/chain/report/report.ts';

export type SimulatedReports = {
  /** Writes a batch with some rows. */
  readonly write: (rows: readonly string[]) => void;
  /** The last batch is the last of its period. */
  readonly endPeriod: () => void;
  readonly digestOf: (from: bigint, to: bigint) => Hex;
  readonly judge: (report: Report) => Judgement;
  readonly isPublished: (report: Report) => boolean;
  /** Published under this number. */
  readonly next: (after: bigint, sequence: bigint) => NextReport;
  /** A process with another disk goes on. */
  readonly loseFiles: () => void;
  /** The last batch of the last period that has ended. */
  readonly border: () => bigint;
  readonly backup: () => () => void;
};

type Row = { readonly batch: bigint; readonly text: string };

export function createSimulatedReports(): SimulatedReports {
  let rows: Row[] = [];
  let [last, border] = [0n, 0n];
  const files = new Map<bigint, string>();
  const textOf = ({ from, to, digest }: Omit<Report, 'sequence'>): string =>
    `${from} ${to} ${digest}`;
  const digestOf = (from: bigint, to: bigint): Hex =>
    rootOf(rows.filter(({ batch }) => batch > from && batch <= to).map(({ text }) => text)) as Hex;
  return {
    write: (texts) => {
      last += 1n;
      rows.push(...texts.map((text) => ({ batch: last, text })));
    },
    endPeriod: () => {
      border = last;
    },
    border: () => border,
    digestOf,
    judge: ({ from, to, digest }) => {
      if (to > last) return 'ahead';
      return digestOf(from, to) === digest ? 'right' : 'wrong';
    },
    isPublished: (report) => report.to <= last && files.get(report.sequence) === textOf(report),
    next: (after, sequence) => {
      if (border <= after) return 'open';
      const stretch = { from: after, to: border, digest: digestOf(after, border) };
      files.set(sequence, textOf(stretch));
      return stretch;
    },
    loseFiles: () => files.clear(),
    backup: () => {
      const kept = { rows: [...rows], last, border };
      return () => {
        ({ last, border } = kept);
        rows = [...kept.rows];
      };
    },
  };
}
