// Which position records are blank: those that are unchanged since their creation.

import type { Position } from '../position.ts';

/**
 * Whether the record is as `createPosition` made it, without a live order. A rejected order may
 * leave such a record behind, so hashes and snapshots skip it. Triggers that would close it do not
 * count: they are counted from the triggers.
 */
export function isBlankPosition(position: Position): boolean {
  return (
    position.lots === 0 &&
    position.leverage === 0 &&
    position.entry === 0 &&
    position.collateral === 0 &&
    position.uncovered === 0 &&
    position.surcharge === 0n &&
    !position.flagged &&
    position.steppedAt === 0 &&
    position.updatedAt === 0 &&
    position.countdown === 0 &&
    position.oldestBuy === null &&
    position.oldestSell === null
  );
}
