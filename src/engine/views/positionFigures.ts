// The figures of one position that records show (spec, position row; LIQ-7).

import { marginUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { rests } from '../clearing/cover.ts';
import {
  maintenanceMargin,
  maintenanceRateOf,
  ticksAtMaintenance,
} from '../clearing/maintenance.ts';
import { notionalAtMark, unrealizedOf } from '../clearing/margin.ts';
import { marginStatusOf, subjectOf } from '../clearing/marginStatus.ts';
import type { Order } from '../order.ts';
import { type Exchange, marketById } from './exchange.ts';
import { leverageOf } from './leverageOf.ts';
import { marginRatio } from './marginRatio.ts';
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
  /** 0 when there is none (LIQ-7). */
  readonly liquidationTicks: Ticks;
  /** Notional of the resting orders of each side. */
  readonly bidNotional: Money;
  readonly askNotional: Money;
  /** Σ freezes of the resting orders of this market, including their unified-margin offsets. */
  readonly orderMargin: Money;
};

/** Cost: the account's markets, and its open orders on this one. */
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
    liquidationTicks: liquidationTicks(exchange, position),
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

/**
 * The mark at which, all else unchanged, equity = Σ maintenance, to a tick against the account; 0
 * if none (LIQ-7). An isolated position answers alone.
 */
export function liquidationTicks(exchange: Exchange, position: Position): Ticks {
  if (position.lots === 0) return 0 as Ticks;
  const state = stateOf.exchange(exchange);
  const held = stateOf.position(position);
  const market = state.markets[position.market]!;
  const { equity, maintenance } = marginStatusOf(state, subjectOf(state, held));
  const others = maintenance - maintenanceMargin(market, held);
  return ticksAtMaintenance(market, held, BigInt(equity) - BigInt(others));
}

/**
 * The margin ratio of what is liquidated together with a position: of its account, or of an
 * isolated position alone (marginRatio.ts). Cost: the account's markets.
 */
export function positionMarginRatio(exchange: Exchange, position: Position): Rate {
  const state = stateOf.exchange(exchange);
  const { equity, maintenance } = marginStatusOf(
    state,
    subjectOf(state, stateOf.position(position)),
  );
  return marginRatio(maintenance, equity);
}
