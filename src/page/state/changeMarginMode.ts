// Changes how the positions of the account share its money (MAR-7).

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { AccountTerms, Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

/** Returns whether the exchange took it. */
export async function changeMarginMode(
  page: Page,
  mode: AccountTerms['margin_mode'],
): Promise<boolean> {
  try {
    await page.requests.setMarginMode({ mode });
    await page.readTerms();
    return true;
  } catch (error) {
    sayFailure(page, tradingMessages().modeRefused, error);
    return false;
  }
}
