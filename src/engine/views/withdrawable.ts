// What an account may withdraw (MAR-8). Queries and decisions read the same figure.

import { mulDivCeil } from '../../units/mulDiv.ts';
import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money } from '../../units/units.ts';
import { owedFunding } from '../clearing/accrueFunding.ts';
import { settlementLoss } from '../clearing/gapMargin.ts';
import { equityOf, maintenanceOf } from '../clearing/margin.ts';
import { isMarkDoubtful } from '../market.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

/**
 *   max(0, min(available, equity − max(Σ collateral + Σ freezes + Σ uncovered,
 *   ceil(10 % of Σ notional), Σ maintenance)) − funding owed so far (FUND-1c))
 * 0 while the account is being liquidated. The last term matters only when maintenance rates are
 * above 10 % (MAR-8a), or in the hour before a delivery, when it includes the delivery's loss
 * (MAR-4d). 0 while the mark of a position is in doubt, because its loss may already be known
 * (MAR-8c); isolated positions answer alone. Cost: the account's markets.
 */
export function withdrawable(reader: Exchange, holder: Account): Money {
  const exchange = stateOf.exchange(reader);
  const account = stateOf.account(holder);
  if (account.flagged) return 0 as Money;
  let notional = 0;
  let settled = 0;
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    const answersAlone = account.marginMode === 'isolated';
    if (!answersAlone && isMarkDoubtful(market, exchange.time)) return 0 as Money;
    const { grain, prices } = market;
    notional += notionalOf(prices.mark, Math.abs(position.lots) as Lots, grain);
    if (!answersAlone) settled += settlementLoss(exchange, market, position.lots);
  }
  const bound = account.collateral + account.freezes + account.uncovered;
  const maintained = maintenanceOf(exchange, account) + settled;
  const kept = Math.max(bound, mulDivCeil(notional, 1, 10), maintained);
  const equity = equityOf(exchange, account);
  const free = Math.min(account.available, equity - kept) - owedFunding(exchange, account);
  return Math.max(free, 0) as Money;
}
