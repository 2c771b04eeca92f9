// How the state of an older engine becomes one of this engine: the sections of its snapshot, step by
// step from format to format. A migration stays as it is for ever, because every replay that passes
// the activation of its engine runs it again; it leaves the list when it is needed by no activation
// that this engine may begin with.

import { Fault } from '../../std/assert.ts';
import { migrateTo3 } from './migrateTo3.ts';
import { migrateTo4 } from './migrateTo4.ts';
import { snapshotFormat } from './snapshotHead.ts';

export type Migration = {
  readonly from: number;
  /** Greater than `from`. */
  readonly to: number;
  /**
   * Takes and gives whole sections: those of the state and, behind them, those of the views beside
   * it, where ended orders (kind 33) and triggers (35) are as bytes what they are in the state.
   */
  readonly migrate: (sections: Iterable<Buffer>) => Iterable<Buffer>;
};

/** At most one from each format. */
export const migrations: readonly Migration[] = [
  { from: 2, to: 3, migrate: migrateTo3 },
  { from: 3, to: 4, migrate: migrateTo4 },
];

/**
 * Sections of `format` made into those of this engine's; as they are when the format is its own.
 * Faults when no migrations lead from there to here.
 */
export function migrateSnapshot(sections: Iterable<Buffer>, format: number): Iterable<Buffer> {
  if (format === snapshotFormat) return sections;
  const step = migrations.find(({ from }) => from === format);
  if (step === undefined) {
    throw new Fault(
      `it keeps its state in format ${snapshotFormat}, and no migration leads there from ${format}`,
    );
  }
  return migrateSnapshot(step.migrate(sections), step.to);
}
