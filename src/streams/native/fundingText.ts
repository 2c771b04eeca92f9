// The event `funding` of the channel `account` (WS-2).

import type { FundingPaid } from '../../engine/riskEvent.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals, rateDecimals } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import { collateral } from '../collateral.ts';
import type { StreamContext } from '../streamContext.ts';

/** The row of fundingFeeHistory (spec) in snake_case. */
export function fundingText(context: StreamContext, paid: FundingPaid): string {
  const { exchange } = context;
  const { time } = exchange;
  const market = must(marketById(exchange, paid.market), 'funding is of a market');
  return JSON.stringify({
    symbol: market.symbol,
    funding_rate: formatTrimmed(paid.rate, rateDecimals),
    position_size: formatSteps(Math.abs(paid.lots), market.lot),
    funding_fee: formatTrimmed(paid.amount, moneyDecimals),
    position_side: paid.lots < 0 ? 'SHORT' : 'LONG',
    asset: collateral,
    time: time,
    tran_id: formatUuid(time, paid.id),
  });
}
