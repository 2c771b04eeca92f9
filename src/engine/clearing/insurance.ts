// The insurance fund (LIQ-3): account 0. It has a balance and positions like other accounts but
// pays no margin and no fees. This file bounds what it may pay and take over.

import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange, FundPeak } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import { post, postFund } from './ledger.ts';
import { equityOf } from './margin.ts';

const peakSlotMs = 600_000;
/** Eight hours of ten minutes, including the present one. */
const peakSlots = 48;
/** Below this part of its peak, in thousandths, the fund takes nothing over. */
const peakShareMin = 925;

export function fundOf(exchange: Exchange): Account {
  return exchange.accounts[insuranceAccount]!;
}

export function isFund(account: Account): boolean {
  return account.id === insuranceAccount;
}

/** What the fund can spend: the smaller of its balance and its equity at the mark, not below 0. */
export function fundMeans(exchange: Exchange): Money {
  const fund = fundOf(exchange);
  return Math.max(0, Math.min(fund.available, equityOf(exchange, fund))) as Money;
}

/** Income of the fund: it repays `shortfall` first (LIQ-4). The payer has been debited. */
export function payFund(exchange: Exchange, amount: Money): void {
  const repaid = Math.min(exchange.funds.shortfall, amount) as Money;
  if (repaid > 0) postFund(exchange, 'shortfall', -repaid as Money);
  const kept = (amount - repaid) as Money;
  if (kept > 0) post(exchange, fundOf(exchange), 'available', kept);
}

/** Takes up to `amount` from the fund, within its means. Gives what was taken. */
export function drawFund(exchange: Exchange, amount: Money): Money {
  const drawn = Math.min(fundMeans(exchange), amount) as Money;
  if (drawn > 0) post(exchange, fundOf(exchange), 'available', -drawn as Money);
  return drawn;
}

/** Records the fund's equity for its peak of the last eight hours. */
export function recordFundPeak(exchange: Exchange): void {
  const slot = Math.floor(exchange.time / peakSlotMs);
  const equity = equityOf(exchange, fundOf(exchange));
  const last = exchange.fundPeaks.at(-1);
  if (last !== undefined && last.slot === slot && last.equity >= equity) return;
  const kept = exchange.fundPeaks.filter(
    (peak) => peak.slot > slot - peakSlots && peak.slot < slot,
  );
  exchange.fundPeaks = [...kept, { slot, equity }];
}

/** Whether the fund has kept 92.5 % of its highest equity of the last eight hours. */
export function fundHoldsItsPeak(exchange: Exchange): boolean {
  const equity = BigInt(equityOf(exchange, fundOf(exchange)));
  const peak = exchange.fundPeaks.reduce(
    (highest, { equity: value }: FundPeak) => Math.max(highest, value),
    Number(equity),
  );
  return equity * 1000n >= BigInt(peak) * BigInt(peakShareMin);
}
