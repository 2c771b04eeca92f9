// One price of a book: its orders in the order of their priority, and the sum of their lots.

import type { Lots, Ticks } from '../../units/units.ts';
import type { Order } from '../order.ts';

export type Level = {
  readonly ticks: Ticks;
  /** Σ open lots of its live orders. */
  lots: Lots;
  first: Order | null;
  last: Order | null;
  /** The tentative execution that last saved this record (undo.ts). Transient. */
  epoch: number;
};

export function createLevel(ticks: Ticks): Level {
  return { ticks, lots: 0 as Lots, first: null, last: null, epoch: 0 };
}
