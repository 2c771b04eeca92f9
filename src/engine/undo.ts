// Trying a match for real and taking it back. While a trial runs, every record is saved whole
// before its first write; rolling back writes the saved copies over. Structures (queues, levels,
// maps) are not touched during a trial: orders that end only become dead and are unlinked when
// the command is sure (endOrder.ts).

import { assert } from '../std/assert.ts';

/** A record that a trial may change. */
export type Undoable = { epoch: number };

export type Undo = {
  active: boolean;
  /** The number of the present or last trial. */
  epoch: number;
  readonly targets: Undoable[];
  readonly copies: Undoable[];
};

export function createUndo(): Undo {
  return { active: false, epoch: 0, targets: [], copies: [] };
}

/** Must be called before a record of the state is written, at any place a trial can reach. */
export function touch(undo: Undo, target: Undoable): void {
  if (!undo.active || target.epoch === undo.epoch) return;
  undo.copies.push({ ...target });
  undo.targets.push(target);
  target.epoch = undo.epoch;
}

export function beginTrial(undo: Undo): void {
  assert(!undo.active, 'trials do not nest');
  undo.active = true;
  undo.epoch += 1;
}

/** Keeps what the trial wrote. */
export function commitTrial(undo: Undo): void {
  assert(undo.active, 'no trial to commit');
  undo.active = false;
  undo.targets.length = 0;
  undo.copies.length = 0;
}

/** Restores every record that the trial wrote. */
export function rollbackTrial(undo: Undo): void {
  assert(undo.active, 'no trial to roll back');
  for (let i = undo.targets.length - 1; i >= 0; i -= 1) {
    Object.assign(undo.targets[i]!, undo.copies[i]!);
  }
  undo.active = false;
  undo.targets.length = 0;
  undo.copies.length = 0;
}
