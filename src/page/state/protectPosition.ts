// The protection of a position (ATT-9): its take-profit and its stop-loss, which close it whole.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { AccountCopy, Trigger } from './account.ts';
import type { Market } from './market.ts';
import { type LegWish, legRequest } from './orderWish.ts';
import type { Page } from './page.ts';

export type Protection = {
  readonly takeProfit: Trigger | undefined;
  readonly stopLoss: Trigger | undefined;
};

/** What protects the position of the account on this market. */
export function protectionOf({ triggers }: AccountCopy, symbol: string): Protection {
  const legs = [...triggers.value.values()].filter(
    // The legs of an order name their parent.
    (each) => each.symbol === symbol && each.pair_id !== undefined && each.parent_id === undefined,
  );
  const isProfit = ({ order_type }: Trigger): boolean => order_type.startsWith('TAKE_PROFIT');
  return {
    takeProfit: legs.find(isProfit),
    stopLoss: legs.find((leg) => !isProfit(leg)),
  };
}

/** Whether legs of orders protect what these have opened. */
export const hasLegsOfOrders = ({ triggers }: AccountCopy, symbol: string): boolean =>
  [...triggers.value.values()].some(
    (each) => each.symbol === symbol && each.parent_id !== undefined && each.algo_status === 'NEW',
  );

/** Undefined leaves a leg as it is, null removes it. */
export type ProtectionWish = {
  readonly takeProfit?: LegWish | null | undefined;
  readonly stopLoss?: LegWish | null | undefined;
};

/** Undefined when the exchange took it, else why it did not. */
export async function protectPosition(
  page: Page,
  market: Market,
  { takeProfit, stopLoss }: ProtectionWish,
): Promise<{ error: unknown } | undefined> {
  const leg = (wish: LegWish | null) => wish && legRequest(market, wish);
  try {
    await page.requests.setProtection({
      symbol: market.symbol,
      ...(takeProfit === undefined ? {} : { take_profit: leg(takeProfit) }),
      ...(stopLoss === undefined ? {} : { stop_loss: leg(stopLoss) }),
    });
    const title = tradingMessages().protected;
    page.notices.say({ kind: 'good', title, text: market.symbol });
    return undefined;
  } catch (error) {
    return { error };
  }
}
