// The figures of one position that records show (spec, position row), as far as they are its own:
// positionStanding.ts has those for which the rest of its account counts.

import { marginUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { rests } from '../clearing/cover.ts';
import { maintenanceMargin, maintenanceRateOf } from '../clearing/maintenance.ts';
import { notionalAtMark, unrealizedOf } from '../clearing/margin.ts';
import type { Order } from '../order.ts';
import { type Exchange, marketById } from './exchange.ts';
import { leverageOf } from './leverageOf.ts';
import type { Market } from './market.ts';
import type { Position } from './position.ts';
import { stateOf } from './stateOf.ts';

export type PositionFigures = {
  readonly lots: Lots;
  /** Signed entry notional. */
  readonly entry: Money;
  readonly mark: Ticks;
  readonly unrealized: Money;
  /** Signed notional at the mark. */
  readonly notional: Money;
  readonly collateral: Money;
  /** The collateral, including the unified-margin offset (MAR-7). */
  readonly positionMargin: Money;
  /** The margin at the leverage setting: |quantity| × mark / leverage, rounded up. */
  readonly requiredMargin: Money;
  readonly leverage: number;
  readonly maintenance: Money;
  /** The position's own rate, rounded up (MAR-10). */
  readonly maintenanceRate: Rate;
  /** Notional of the resting orders of each side. */
  readonly bidNotional: Money;
  readonly askNotional: Money;
  /** Σ freezes of the resting orders of this market, including their unified-margin offsets. */
  readonly orderMargin: Money;
};

/** Cost: the account's open orders on this market. */
export function positionFigures(exchange: Exchange, position: Position): PositionFigures {
  const state = stateOf.position(position);
  const market = stateOf.market(marketById(exchange, position.market)!);
  const bids = queueFigures(market, state.oldestBuy);
  const asks = queueFigures(market, state.oldestSell);
  const leverage = leverageOf(market, position);
  return {
    lots: position.lots,
    entry: position.entry,
    mark: market.prices.mark,
    unrealized: unrealizedOf(market, state),
    notional: notionalOf(market.prices.mark, position.lots, market.grain),
    collateral: position.collateral,
    positionMargin: (position.collateral + position.uncovered) as Money,
    requiredMargin: marginUp(notionalAtMark(market, state), leverage),
    leverage,
    maintenance: maintenanceMargin(market, state),
    maintenanceRate: maintenanceRateOf(market, state),
    bidNotional: bids.notional,
    askNotional: asks.notional,
    orderMargin: (bids.freeze + asks.freeze) as Money,
  };
}

function queueFigures(market: Market, oldest: Order | null): { notional: Money; freeze: Money } {
  let notional = 0;
  let freeze = 0;
  for (let order = oldest; order !== null; order = order.newer) {
    if (!rests(order)) continue;
    notional += notionalOf(order.ticks, order.open, market.grain);
    freeze += order.freeze + order.uncovered;
  }
  return { notional: notional as Money, freeze: freeze as Money };
}
