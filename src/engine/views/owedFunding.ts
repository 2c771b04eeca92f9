// What an account owes of funding that has accrued and is not yet paid (FUND-1c).

import { type Money, rateOne } from '../../units/units.ts';
import { accruedBy, fundingUntil } from '../clearing/accrueFunding.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { nextFundingTime } from './fundingRateOf.ts';
import { stateOf } from './stateOf.ts';

/**
 * Σ over markets of what the account owes at the marks, rounded up: of a boundary that is due, and of
 * the interval so far as if its market kept its open interest up to the boundary. What it is owed
 * elsewhere does not count. Cost: the account's markets.
 */
export function owedFunding(reader: Exchange, holder: Account): Money {
  const { markets, time } = stateOf.exchange(reader);
  const { id, positions } = stateOf.account(holder);
  let owed = 0;
  for (const position of positions) {
    if (position === undefined) continue;
    const market = markets[position.market]!;
    const { sum, ms } = fundingUntil(market, time);
    const whole = ms + nextFundingTime(market, time) - time;
    const { mark } = market.prices;
    const value = (amount: bigint, divisor: number): number => {
      if (amount <= 0n || divisor === 0) return 0;
      const product = amount * BigInt(mark) * BigInt(market.grain);
      const parts = BigInt(rateOne) * BigInt(divisor);
      return Number((product + parts - 1n) / parts);
    };
    owed += value(accruedBy(market, id, position.lots, sum), whole);
    owed += value(market.shares.get(id)?.due ?? 0n, market.dues.fundingMs);
  }
  return owed as Money;
}
