// Places an order or a trigger, and says what became of it at once.

import { tradingMessages } from '../messages/tradingMessages.ts';
import { awaitOrder, type Order } from './account.ts';
import { grouping } from './grouping.ts';
import type { Notice } from './notices.ts';
import {
  isTriggerWish,
  type OrderWish,
  orderRequest,
  type TriggerWish,
  triggerRequest,
  type Wish,
} from './orderWish.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

/** Undefined when the exchange took the order, else why it did not. */
export async function tryToPlace(page: Page, wish: Wish): Promise<{ error: unknown } | undefined> {
  try {
    if (isTriggerWish(wish)) page.notices.say(await placeTrigger(page, wish));
    else await placeAtOnce(page, wish);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Says a refusal, too; returns whether the exchange took the order. */
export async function placeOrder(page: Page, wish: Wish): Promise<boolean> {
  const failed = await tryToPlace(page, wish);
  if (failed !== undefined) sayFailure(page, tradingMessages().orderRefused, failed.error);
  return failed === undefined;
}

type NoticeText = Omit<Notice, 'id'>;

type Placing = Pick<Page, 'requests' | 'requestKeys' | 'notices' | 'account'>;

/**
 * The order as it is then, also in the copy of the account. Rejects when the exchange refuses it,
 * and says nothing of that.
 */
export async function placeAtOnce(
  { requests, requestKeys, notices, account }: Placing,
  wish: OrderWish,
): Promise<Placed> {
  const request = orderRequest(wish);
  const placed = await awaitOrder(account, () =>
    requestKeys.sendOnce(request, async (signing, isAgain) => {
      const answer = await requests.placeNativeOrder(request, signing);
      return { answer, order: isAgain ? undefined : answer };
    }),
  );
  notices.say(placedNotice(placed));
  return placed;
}

async function placeTrigger(
  { requests, requestKeys }: Page,
  wish: TriggerWish,
): Promise<NoticeText> {
  const request = triggerRequest(wish);
  const placed = await requestKeys.sendOnce(request, (signing) =>
    requests.placeNativeTrigger(request, signing),
  );
  const text = tradingMessages();
  const { order_type, side, symbol, trigger_price, quantity, close_position } = placed;
  const size = close_position ? symbol : `${quantity} ${symbol}`;
  return {
    kind: 'good',
    title: text.triggerPlaced(text.triggerTypes[order_type]),
    text: `${text.sides[side]} ${size} @ ${grouping(trigger_price)}`,
  };
}

export type Placed = Pick<
  Order,
  | 'order_id'
  | 'symbol'
  | 'side'
  | 'type'
  | 'status'
  | 'orig_qty'
  | 'executed_qty'
  | 'avg_price'
  | 'price'
>;

function placedNotice(order: Placed): NoticeText {
  const text = tradingMessages();
  const { symbol, side, type, status, orig_qty, executed_qty, avg_price, price } = order;
  const what = `${text.sides[side]} ${orig_qty} ${symbol}`;
  switch (status) {
    case 'FILLED':
      return {
        kind: 'good',
        title: text.filled,
        text: `${what} @ ${grouping(avg_price)}`,
        order: order.order_id,
      };
    case 'NEW':
    case 'PARTIALLY_FILLED':
      return {
        kind: 'good',
        title: text.placed,
        text: type === 'MARKET' ? what : `${what} @ ${grouping(price)}`,
      };
    default:
      return {
        kind: 'plain',
        title: text.endedUnfilled,
        text: `${what}: ${text.filledPart(executed_qty, orig_qty)}`,
        order: order.order_id,
      };
  }
}
