// What an order would do at once, seen before its test is undone (NAT-7).

import type { Lots, Money } from '../../units/units.ts';
import type { Order } from './order.ts';

export type Trial = {
  /** As it would rest or end. */
  readonly order: Order;
  /** Of its fills. */
  readonly lots: Lots;
  readonly notional: Money;
  readonly fee: Money;
  /** What it would bind: collateral of its fills, and the freeze of its rest. */
  readonly margin: Money;
  /** The lots that would rest. */
  readonly rest: Lots;
};

/** Reads the state as the order would leave it; it must not write. */
export type Look = (trial: Trial) => void;
