// Cancels an order.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order } from './account.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

/** Returns whether it is cancelled. */
export async function cancelOrder(page: Page, { order_id: id, symbol }: Order): Promise<boolean> {
  try {
    await page.requests.cancelNativeOrder({ id });
    page.notices.say({ kind: 'plain', title: tradingMessages().cancelled, text: symbol });
    return true;
  } catch (error) {
    sayFailure(page, tradingMessages().cancelRefused, error);
    return false;
  }
}
