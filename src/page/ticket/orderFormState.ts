// What the parts of the ticket share: the draft, what it means, and what is wrong with it.

import type { RefusedPart } from '../messages/refusalSentence.ts';
import type { Market } from '../state/market.ts';
import type { Side, Wish } from '../state/orderWish.ts';
import type { ChangeDraft, Draft } from './draft.ts';
import type { DraftField, DraftReading } from './readDraft.ts';

export type OrderFormState = {
  readonly draft: Draft;
  /** A refusal of the exchange disappears with the next change. */
  readonly change: ChangeDraft;
  readonly market: Market;
  /** At which a market order is valued; undefined while there is no price. */
  readonly marketTicks: bigint | undefined;
  readonly reading: DraftReading;
  /** Undefined while the draft has problems. */
  readonly wishOf: (side: Side) => Wish | undefined;
  /** What is said at a field; empty when nothing is wrong. */
  readonly problem: (field: DraftField) => string;
  /** What the exchange refused, at its place; empty elsewhere. */
  readonly refusal: (part: RefusedPart | DraftField) => string;
  readonly send: (side: Side) => Promise<void>;
  /** Whether an order is on its way for so long that a person notices. */
  readonly isSlow: boolean;
};
