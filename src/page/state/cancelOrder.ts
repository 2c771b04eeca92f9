// Cancels orders and triggers.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order, Trigger } from './account.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

/** Returns whether it is cancelled. */
export function cancelOrder(page: Page, { order_id: id, symbol }: Order): Promise<boolean> {
  return cancel(page, symbol, () => page.requests.cancelNativeOrder({ id }));
}

/** Returns whether it is cancelled. */
export function cancelTrigger(page: Page, { algo_id: id, symbol }: Trigger): Promise<boolean> {
  return cancel(page, symbol, () => page.requests.cancelNativeTrigger({ id }));
}

/** Cancels every order and trigger of one market. */
export function cancelAll(page: Page, symbol: string): Promise<boolean> {
  return cancel(page, symbol, () =>
    Promise.all([
      page.requests.cancelAllNativeOrders({ symbol }),
      page.requests.cancelAllNativeTriggers({ symbol }),
    ]),
  );
}

async function cancel(
  page: Page,
  symbol: string,
  request: () => Promise<unknown>,
): Promise<boolean> {
  const text = tradingMessages();
  try {
    await request();
    page.notices.say({ kind: 'plain', title: text.cancelled, text: symbol });
    return true;
  } catch (error) {
    sayFailure(page, text.cancelRefused, error);
    return false;
  }
}
