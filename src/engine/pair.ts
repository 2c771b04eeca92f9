// A pair: the take-profit and the stop-loss of an order, of a trigger or of a position (ATT-1,
// ATT-9). clearing/pairLots.ts counts its lots, and operations/ let its legs follow them.

import type { AccountId, Lots, MarketId, OrderId, Time } from '../units/units.ts';
import type { Side } from './orderTypes.ts';

/** What the pair belongs to. The place is the number on the disk: append, never reorder. */
export const pairKinds = ['order', 'trigger', 'position'] as const;
export type PairKind = (typeof pairKinds)[number];

/** What a leg knows of its pair, also when both have ended. */
export type PairName = {
  /** The number of the parent; the pair of a position has a number of its own. */
  readonly id: OrderId;
  readonly createdAt: Time;
  readonly kind: PairKind;
};

/** What a parent knows of its legs: their numbers, 0 for none. */
export type Legs = { readonly takeProfit: OrderId; readonly stopLoss: OrderId };

export type Pair = {
  readonly name: PairName;
  readonly account: AccountId;
  readonly market: MarketId;
  /** Of the parent, and so of the position that the legs close. */
  readonly side: Side;
  legs: Legs;
  /** What the legs may close (ATT-2); 0 for a pair of a position, which closes all of it. */
  lots: Lots;
  /** The life of the position in which the lots were opened. Transient. */
  life: number;
  /** Whether it is in `exchange.stirred`. Transient. */
  stirred: boolean;
  /** The tentative execution that last saved this record (undo.ts). Transient. */
  epoch: number;
};

/** The pairs on one position. Only their list is state, and it follows from them. */
export type Attachments = {
  /** In the order of their numbers. */
  readonly pairs: Pair[];
  /** How often the position has been flat: what was opened in an earlier life is gone. */
  life: number;
  /**
   * The least lots of the position since its pairs were last cut; `notSmaller` when it only grew.
   */
  low: number;
  /** Whether they are in `exchange.shrunk`. */
  shrunk: boolean;
  epoch: number;
};

export const notSmaller = Number.MAX_SAFE_INTEGER;

export function createAttachments(): Attachments {
  return { pairs: [], life: 0, low: notSmaller, shrunk: false, epoch: 0 };
}

export type PairTerms = Pick<Pair, 'name' | 'account' | 'market' | 'side' | 'legs'>;

/** A pair without lots, in no list. */
export function createPair({ name, account, market, side, legs }: PairTerms): Pair {
  const transient = { life: 0, stirred: false, epoch: 0 };
  return { name, account, market, side, legs, lots: 0 as Lots, ...transient };
}
