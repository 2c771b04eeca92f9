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
  readonly judge: (report: Report) => Judgement;
  readonly next: (after: bigint) => NextReport;
  /** The last batch of the last period that has ended. */
  readonly border: () => bigint;
  readonly backup: () => () => void;
};

type Row = { readonly batch: bigint; readonly text: string };

export function createSimulatedReports(): SimulatedReports {
  let rows: Row[] = [];
  let [last, border] = [0n, 0n];
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
    judge: ({ from, to, digest }) => {
      if (to > last) return 'ahead';
      return digestOf(from, to) === digest ? 'right' : 'wrong';
    },
    next: (after) =>
      border > after ? { from: after, to: border, digest: digestOf(after, border) } : 'open',
    backup: () => {
      const kept = { rows: [...rows], last, border };
      return () => {
        ({ last, border } = kept);
        rows = [...kept.rows];
      };
    },
  };
}
