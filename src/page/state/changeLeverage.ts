// Changes the leverage that later orders on a market take.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

/** Returns whether the exchange took it. */
export async function changeLeverage(
  page: Page,
  symbol: string,
  leverage: number,
): Promise<boolean> {
  try {
    await page.requests.setNativeLeverage({ symbol, leverage });
    return true;
  } catch (error) {
    sayFailure(page, tradingMessages().leverageRefused, error);
    return false;
  }
}
