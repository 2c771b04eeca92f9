// Changes the leverage that later orders on a market take.

import type { Page } from './page.ts';

/** Undefined when the exchange took it, else why it did not. */
export async function changeLeverage(
  page: Page,
  symbol: string,
  leverage: number,
): Promise<{ error: unknown } | undefined> {
  try {
    await page.requests.setNativeLeverage({ symbol, leverage });
    await page.readTerms();
    return undefined;
  } catch (error) {
    return { error };
  }
}
