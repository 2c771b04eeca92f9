// Cancels orders and triggers.

import { failureText } from '../messages/failureText.ts';
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

export type CancelAll = {
  /** Empty: on all markets. */
  readonly symbol: string;
  readonly orders: boolean;
  readonly triggers: boolean;
};

/** Resolves with what went wrong, for people; empty when all of them are cancelled. */
export async function cancelAll(page: Page, wish: CancelAll): Promise<string> {
  const { requests, notices } = page;
  const text = tradingMessages();
  const where = wish.symbol === '' ? {} : { symbol: wish.symbol };
  try {
    const done = await Promise.all([
      ...(wish.orders ? [requests.cancelAllNativeOrders(where)] : []),
      ...(wish.triggers ? [requests.cancelAllNativeTriggers(where)] : []),
    ]);
    const count = done.reduce((sum, { cancelled }) => sum + cancelled, 0);
    const said = text.cancelledCount(count, wish.symbol || text.allMarkets);
    notices.say({ kind: 'plain', title: text.allCancelled, text: said });
    return '';
  } catch (error) {
    return failureText(error);
  }
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
