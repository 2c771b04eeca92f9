// What the order in the ticket would do now, for both sides, as the exchange says.

import { useEffect, useMemo } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { isTriggerWish, type OrderWish, orderRequest } from '../state/orderWish.ts';
import type { Page } from '../state/page.ts';
import type { OrderFormState } from './orderFormState.ts';
import { createPreviewer, type Previewer, type PreviewWishes } from './previewer.ts';

const sides = ['BUY', 'SELL'] as const;

/** Its previews are undefined before the first answer. */
export function usePreviewer(): Previewer {
  const page = usePage();
  const previewer = useMemo(
    () =>
      createPreviewer({
        ask: (wish) => page.requests.previewNativeOrder(orderRequest(wish)),
        now: () => page.options.clock.now(),
        isSeen: () => document.visibilityState === 'visible',
      }),
    [page],
  );
  useEffect(() => previewer.close, [previewer]);
  return previewer;
}

type AskPreviewProps = {
  readonly state: Pick<OrderFormState, 'wishOf' | 'draft'>;
  readonly previewer: Previewer;
};

/**
 * Asks again when the order changes, or what it would be judged by. It draws nothing, so that what
 * happens to the account does not draw the ticket.
 */
export function AskPreview({ state, previewer }: AskPreviewProps) {
  const page = usePage();
  const wishes = page.session.login.value === undefined ? undefined : previewWishes(state);
  const asked = wishes && JSON.stringify([...sides.map((side) => orderRequest(wishes[side]))]);
  useEffect(() => previewer.want(wishes), [previewer, asked, judgedBy(page)]);
  return null;
}

/** A trigger has no preview: what it will meet is not known. */
function previewWishes({ wishOf, draft }: AskPreviewProps['state']): PreviewWishes | undefined {
  const [BUY, SELL] = [wishOf('BUY'), wishOf('SELL')];
  if (BUY === undefined || SELL === undefined) return undefined;
  if (isTriggerWish(BUY) || isTriggerWish(SELL)) return undefined;
  // Legs cost nothing before they fire. Those in percent are on the right side of the price, and
  // move with it: asked for, they would be another order with each trade.
  const asked = (wish: OrderWish): OrderWish =>
    draft.legsAs === 'percent' ? { ...wish, takeProfit: undefined, stopLoss: undefined } : wish;
  return { BUY: asked(BUY), SELL: asked(SELL) };
}

/** Changes with everything but prices by which an order is judged. */
function judgedBy({ account, terms }: Page): string {
  const held = [...account.positions.value.values()].map(({ position_amt }) => position_amt);
  const leverages = terms.value?.markets.map(({ leverage }) => leverage);
  return [terms.value?.margin_mode, leverages, held, account.orders.value.size].join(' ');
}
