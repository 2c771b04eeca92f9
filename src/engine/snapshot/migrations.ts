// How the state of an older engine becomes one of this engine: the sections of its snapshot, step
// by step from format to format. A migration never changes, because every replay that passes the
// activation of its engine runs it again. It is removed when no activation with which this engine
// may begin needs it.

import { Fault } from '../../std/assert.ts';
import { migrateTo3 } from './migrateTo3.ts';
import { migrateTo4 } from './migrateTo4.ts';
import { migrateTo5 } from './migrateTo5.ts';
import { migrateTo6 } from './migrateTo6.ts';
import { migrateTo7 } from './migrateTo7.ts';
import { migrateTo8 } from './migrateTo8.ts';
import { migrateTo9 } from './migrateTo9.ts';
import { snapshotFormat } from './snapshotHead.ts';

export type Migration = {
  readonly from: number;
  /** Greater than `from`. */
  readonly to: number;
  /**
   * Takes and gives whole sections: those of the state and after them those of the views. There
   * ended orders (kind 33) and triggers (35) have the same bytes as in the state.
   */
  readonly migrate: (sections: Iterable<Buffer>) => Iterable<Buffer>;
};

/** At most one from each format. */
export const migrations: readonly Migration[] = [
  { from: 2, to: 3, migrate: migrateTo3 },
  { from: 3, to: 4, migrate: migrateTo4 },
  { from: 4, to: 5, migrate: migrateTo5 },
  { from: 5, to: 6, migrate: migrateTo6 },
  { from: 6, to: 7, migrate: migrateTo7 },
  { from: 7, to: 8, migrate: migrateTo8 },
  { from: 8, to: 9, migrate: migrateTo9 },
];

/**
 * Converts sections of `format` to this engine's format; sections of its own format stay as they
 * are. Faults when no migrations lead to its format.
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
