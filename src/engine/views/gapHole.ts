// The gap hole of a market (MAR-10, OPS-8): what a gap of its price would take beyond the equity of
// those who hold its positions. The insurance fund, and after it the winners, would pay it.

import { mulDivFloor } from '../../units/mulDiv.ts';
import { shareUp } from '../../units/notional.ts';
import type { Money } from '../../units/units.ts';
import { isFund } from '../clearing/insurance.ts';
import { maintenanceMargin } from '../clearing/maintenance.ts';
import { notionalAtMark } from '../clearing/margin.ts';
import { marginStatusOf, subjectOf } from '../clearing/marginStatus.ts';
import type { Exchange as ExchangeState } from '../exchange.ts';
import type { Market as MarketState } from '../market.ts';
import type { Position } from '../position.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

/**
 * The larger of the two sides, because a gap has one direction. For each side
 *   Σ max(0, notional × gap − equity share), each rounded up.
 * Cost: the positions of the market, and of each cross account its markets.
 */
export function gapHoleOf(exchange: Exchange, market: Market): Money {
  const state = stateOf.exchange(exchange);
  const listed = stateOf.market(market);
  let longs = 0;
  let shorts = 0;
  for (const position of listed.risk.holders) {
    if (position.lots === 0) continue;
    const loss = shareUp(notionalAtMark(listed, position), listed.terms.gapRate);
    const hole = Math.max(0, loss - equityShare(state, listed, position));
    if (position.lots > 0) longs += hole;
    else shorts += hole;
  }
  return Math.max(longs, shorts) as Money;
}

/**
 * The equity that pays for this position alone: of an isolated position its own; of a cross account
 * the part maintenance / Σ maintenance, rounded down, so that no unit pays for two positions. It is
 * at least the maintenance margin unless the account is below it. The fund's positions have no
 * margin: their whole loss is the fund's.
 */
function equityShare(exchange: ExchangeState, market: MarketState, position: Position): number {
  const subject = subjectOf(exchange, position);
  if (isFund(subject.account)) return 0;
  const { equity, maintenance } = marginStatusOf(exchange, subject);
  const own = maintenanceMargin(market, position);
  return own === maintenance ? equity : mulDivFloor(equity, own, maintenance);
}
