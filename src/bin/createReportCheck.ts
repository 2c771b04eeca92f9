// Compares the keeper's reports with what a replay of the log makes of the same stretches (KPR-2).
// It reads no chain and no file.

import { createHashTree, type HashTree } from '../archivist/report/hashTree.ts';
import type { Report } from '../archivist/report/report.ts';
import { createReportRows } from '../archivist/report/reportRows.ts';
import { vaultOf } from '../engine/views/vault.ts';
import type { ReplicaState } from '../replica/replicaState.ts';

/** What a vault has, or a file. */
export type ReportClaims = {
  readonly reports: readonly Report[];
  readonly vault: string | undefined;
};

export type ReportFindings = {
  readonly ok: boolean;
  readonly count: number;
  /** The last batch of the right ones. */
  readonly reported_to: number;
  /** At most a hundred; `wrong_count` counts all. */
  readonly wrong: readonly (Report & { readonly why: string })[];
  readonly wrong_count: number;
  /** Batches that no right report covers. */
  readonly gaps: readonly { readonly after: number; readonly to: number }[];
  /** The reports are of a vault that is not the log's. */
  readonly why?: string;
};

export type ReportCheck = {
  /** To be called before the first batch and after every one. */
  readonly endBatch: () => void;
  readonly findings: () => ReportFindings;
};

const shownMax = 100;

/** The state stands before the log's first batch. Cost: a tree for each place where one begins. */
export function createReportCheck(
  state: ReplicaState,
  { reports, vault }: ReportClaims,
): ReportCheck {
  const starts = new Map<number, number>();
  for (const { from } of reports) starts.set(from, (starts.get(from) ?? 0) + 1);
  const ends = Map.groupBy(reports, ({ to }) => to);
  const trees = new Map<number, HashTree>();
  const right: Report[] = [];
  const wrong: (Report & { readonly why: string })[] = [];
  const rows = createReportRows(state, (row) => {
    for (const tree of trees.values()) tree.add(row);
  });
  state.onEventsToo = rows.take;
  let checkedAt = -1;
  return {
    endBatch: () => {
      const { position } = state;
      if (position === checkedAt) return;
      checkedAt = position;
      rows.endBatch();
      if (starts.has(position)) trees.set(position, createHashTree());
      for (const report of ends.get(position) ?? []) {
        const { from, digest } = report;
        const root = trees.get(from)?.root();
        if (root === digest) right.push(report);
        else wrong.push({ ...report, why: `the log gives ${root}` });
        const left = starts.get(from)! - 1;
        starts.set(from, left);
        if (left === 0) trees.delete(from);
      }
    },
    findings: () => {
      const beyond = reports
        .filter(({ to }) => to > state.position)
        .map((report) => ({ ...report, why: `the log ends at batch ${state.position}` }));
      const found = findingsOf(reports.length, right, [...wrong, ...beyond]);
      const bound = vaultOf(state.exchange)?.address;
      if (vault === undefined || vault === bound) return found;
      const why = `the log is bound to ${bound ?? 'no vault'}, not to ${vault}`;
      return { ...found, ok: false, why };
    },
  };
}

function findingsOf(
  count: number,
  right: readonly Report[],
  wrong: ReportFindings['wrong'],
): ReportFindings {
  const gaps: { after: number; to: number }[] = [];
  let reached = 0;
  for (const { from, to } of right.toSorted((one, other) => one.from - other.from)) {
    if (from > reached) gaps.push({ after: reached, to: from });
    reached = Math.max(reached, to);
  }
  return {
    ok: wrong.length === 0 && gaps.length === 0,
    count,
    reported_to: reached,
    wrong: wrong.slice(0, shownMax),
    wrong_count: wrong.length,
    gaps: gaps.slice(0, shownMax),
  };
}
