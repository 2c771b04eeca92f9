// Moves money between the available balance and the collateral of an isolated position (MAR-7).

import { tradingMessages } from '../messages/tradingMessages.ts';
import { plainText } from './grid.ts';
import type { Page } from './page.ts';

const moneyDecimals = 6;

/** `money`: 1e-6 USDT; above 0 adds. Undefined when the exchange took it, else why it did not. */
export async function moveCollateral(
  page: Page,
  symbol: string,
  money: bigint,
): Promise<{ error: unknown } | undefined> {
  try {
    const delta = plainText(money, moneyDecimals);
    await page.requests.transferCollateral({ symbol, delta });
    const title = tradingMessages().collateralMoved;
    page.notices.say({ kind: 'good', title, text: `${symbol} ${delta} USDT` });
    return undefined;
  } catch (error) {
    return { error };
  }
}
