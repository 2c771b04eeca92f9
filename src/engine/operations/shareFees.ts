// The insurance fund's share of the trading fees (LIQ-8): once a minute, until the fund has its
// target. Fees wait in their market's figures; here they become the fund's.

import { shareDown } from '../../units/notional.ts';
import type { Money, Time } from '../../units/units.ts';
import { fundOf, payFund } from '../clearing/insurance.ts';
import { postFund } from '../clearing/ledger.ts';
import { equityOf } from '../clearing/margin.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';

const minuteMs = 60_000;

/** Whether a minute has ended since the batch before. */
export function hasMinuteEnded({ time }: Pick<Exchange, 'time'>, before: Time): boolean {
  return Math.floor(before / minuteMs) !== Math.floor(time / minuteMs);
}

/**
 * Shares the fees of the minutes that have ended since the batch before, market by market, at the
 * marks of that batch. Nothing happens within a minute. Gives whether there were fees to share.
 */
export function shareFees(exchange: Exchange, before: Time): boolean {
  if (!hasMinuteEnded(exchange, before)) return false;
  const waiting = exchange.markets.filter(({ figures }) => figures.feesToShare > 0);
  for (const market of waiting) shareOf(exchange, market);
  return waiting.length > 0;
}

/**
 *   share = fees × share of the market, rounded down, at most the target − the fund's equity.
 * The rest stays fee revenue. The share repays `shortfall` first, like all income (LIQ-4).
 */
function shareOf(exchange: Exchange, market: Market): void {
  const { figures, terms } = market;
  const due = shareDown(figures.feesToShare, terms.fundFeeShare);
  figures.feesToShare = 0 as Money;
  const fund = fundOf(exchange);
  const missing = terms.fundTarget - equityOf(exchange, fund);
  const amount = Math.max(0, Math.min(due, missing)) as Money;
  if (amount === 0) return;
  postFund(exchange, 'feeRevenue', -amount as Money);
  payFund(exchange, amount);
  exchange.events.push({
    kind: 'feesShared',
    id: drawNumber(exchange),
    market: market.id,
    amount,
    balance: fund.available,
  });
}
