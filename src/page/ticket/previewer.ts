// Asks the exchange what an order would do now (NAT-7), for both sides, while a person types.
// A preview counts as an order, so requests wait for the end of typing, keep a distance, and never
// overlap.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { OrderWish } from '../state/orderWish.ts';
import type { Requests } from '../state/requests.ts';

export type Preview = Awaited<ReturnType<Requests['previewNativeOrder']>>;

export type PreviewedSide =
  | { readonly kind: 'figures'; readonly preview: Preview }
  | { readonly kind: 'refused'; readonly error: unknown };

export type PreviewPair = {
  readonly BUY: PreviewedSide;
  readonly SELL: PreviewedSide;
  /** Whether they belong to what stands in the ticket now. */
  readonly isFresh: boolean;
};

export type PreviewWishes = { readonly BUY: OrderWish; readonly SELL: OrderWish };

export type Previewer = {
  /** Undefined before the first answer, and without an order. */
  readonly shown: ReadonlySignal<PreviewPair | undefined>;
  /** What stands in the ticket has changed, or the account has. */
  readonly want: (wishes: PreviewWishes | undefined) => void;
  readonly close: () => void;
};

export type PreviewerOptions = {
  readonly ask: (wish: OrderWish) => Promise<Preview>;
  readonly now: () => number;
  /** Whether the person can see the page. */
  readonly isSeen: () => boolean;
};

const typingMs = 300;
/** 2 requests each: at most 60 of the 200 orders of a minute that a login may send. */
export const previewDistanceMs = 2000;
/** The market moves under an order that stands still. */
const againMs = 10_000;

export function createPreviewer({ ask, now, isSeen }: PreviewerOptions): Previewer {
  const shown = signal<PreviewPair | undefined>(undefined);
  let wanted: PreviewWishes | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  const side = (wish: OrderWish): Promise<PreviewedSide> =>
    ask(wish).then(
      (preview) => ({ kind: 'figures', preview }),
      (error: unknown) => ({ kind: 'refused', error }),
    );
  const later = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), milliseconds);
  };
  const run = async (): Promise<void> => {
    const wishes = wanted;
    if (wishes === undefined || isAsking) return;
    const early = askedAt + previewDistanceMs - now();
    if (early > 0) return later(early);
    if (!isSeen()) return later(againMs);
    isAsking = true;
    askedAt = now();
    const [BUY, SELL] = await Promise.all([side(wishes.BUY), side(wishes.SELL)]);
    isAsking = false;
    if (wanted === undefined) return;
    const isFresh = wanted === wishes;
    shown.value = { BUY, SELL, isFresh };
    later(isFresh ? againMs : typingMs);
  };
  return {
    shown,
    want: (wishes) => {
      wanted = wishes;
      if (wishes === undefined) {
        clearTimeout(timer);
        shown.value = undefined;
        return;
      }
      if (shown.value?.isFresh === true) shown.value = { ...shown.value, isFresh: false };
      later(typingMs);
    },
    close: () => {
      wanted = undefined;
      clearTimeout(timer);
    },
  };
}
