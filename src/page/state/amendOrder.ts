// Changes an order or a trigger that waits. What is not named stays.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order, Trigger } from './account.ts';
import { gridText } from './grid.ts';
import type { Market } from './market.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

export type Amendment = {
  readonly ticks?: bigint;
  /** The whole of the order, with what is filled. */
  readonly lots?: bigint;
  /** Of triggers. */
  readonly triggerTicks?: bigint;
};

/** Returns whether the exchange took it; says what came of it. */
export async function amendOrder(
  page: Page,
  order: Order,
  { market, ticks, lots }: Amendment & { readonly market: Market },
): Promise<boolean> {
  return send(page, order.symbol, () =>
    page.requests.modifyNativeOrder({
      id: order.order_id,
      price: ticks === undefined ? order.price : gridText(ticks, market.tick),
      quantity: lots === undefined ? order.orig_qty : gridText(lots, market.lot),
    }),
  );
}

export async function amendTrigger(
  page: Page,
  trigger: Trigger,
  { market, ticks, lots, triggerTicks }: Amendment & { readonly market: Market },
): Promise<boolean> {
  return send(page, trigger.symbol, () =>
    page.requests.modifyNativeTrigger({
      id: trigger.algo_id,
      ...(ticks === undefined ? {} : { price: gridText(ticks, market.tick) }),
      ...(lots === undefined ? {} : { quantity: gridText(lots, market.lot) }),
      ...(triggerTicks === undefined ? {} : { trigger_price: gridText(triggerTicks, market.tick) }),
    }),
  );
}

async function send(page: Page, symbol: string, request: () => Promise<unknown>): Promise<boolean> {
  const text = tradingMessages();
  try {
    await request();
    page.notices.say({ kind: 'plain', title: text.amended, text: symbol });
    return true;
  } catch (error) {
    sayFailure(page, text.amendRefused, error);
    return false;
  }
}
