// The figures of one position that records show (spec, position row; LIQ-7).

import { marginUp, notionalOf } from '../../units/notional.ts';
import { type Lots, type Money, rateOne, type Ticks } from '../../units/units.ts';
import { rests } from '../clearing/cover.ts';
import { maintenanceOfLots, notionalAtMark, unrealizedOf } from '../clearing/margin.ts';
import { standingOf, subjectOf } from '../clearing/standing.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { OrderQueue, Position } from '../position.ts';
import { leverageOf } from './leverageOf.ts';

export type PositionFigures = {
  readonly lots: Lots;
  /** Signed entry notional. */
  readonly entry: Money;
  readonly mark: Ticks;
  readonly unrealized: Money;
  /** Signed notional at the mark. */
  readonly notional: Money;
  readonly collateral: Money;
  /** The collateral, with what unrealised profit stands in for of it (MAR-7). */
  readonly positionMargin: Money;
  /** What the standing leverage asks for: |quantity| × mark / leverage, rounded up. */
  readonly requiredMargin: Money;
  readonly leverage: number;
  readonly maintenance: Money;
  /** 0 when there is none (LIQ-7). */
  readonly liquidationTicks: Ticks;
  /** Notional of the resting orders of each side. */
  readonly bidNotional: Money;
  readonly askNotional: Money;
  /** Σ freezes of the resting orders of this market, with what profit stands in for of them. */
  readonly orderMargin: Money;
};

/** Cost: the account's markets, and its open orders on this one. */
export function positionFigures(exchange: Exchange, position: Position): PositionFigures {
  const market = exchange.markets[position.market]!;
  const bids = queueFigures(market, position.buys);
  const asks = queueFigures(market, position.sells);
  const leverage = leverageOf(market, position);
  return {
    lots: position.lots,
    entry: position.entry,
    mark: market.prices.mark,
    unrealized: unrealizedOf(market, position),
    notional: notionalOf(market.prices.mark, position.lots, market.grain),
    collateral: position.collateral,
    positionMargin: (position.collateral + position.uncovered) as Money,
    requiredMargin: marginUp(notionalAtMark(market, position), leverage),
    leverage,
    maintenance: maintenanceOfLots(market, position.lots),
    liquidationTicks: liquidationTicks(exchange, position),
    bidNotional: bids.notional,
    askNotional: asks.notional,
    orderMargin: (bids.freeze + asks.freeze) as Money,
  };
}

function queueFigures(market: Market, queue: OrderQueue): { notional: Money; freeze: Money } {
  let notional = 0;
  let freeze = 0;
  for (let order = queue.oldest; order !== null; order = order.newer) {
    if (!rests(order)) continue;
    notional += notionalOf(order.ticks, order.open, market.grain);
    freeze += order.freeze + order.uncovered;
  }
  return { notional: notional as Money, freeze: freeze as Money };
}

/**
 * The mark at which, all else unchanged, equity = Σ maintenance, to a tick against the account;
 * 0 if none (LIQ-7). An isolated position stands alone. With E equity and M maintenance of the
 * other positions at the present mark m, size q, grain g, rate r:
 * long: (M − E + q g m) / (q g (1 − r)), rounded up; short: (E − M + q g m) / (q g (1 + r)),
 * rounded down.
 */
export function liquidationTicks(exchange: Exchange, position: Position): Ticks {
  if (position.lots === 0) return 0 as Ticks;
  const market = exchange.markets[position.market]!;
  const long = position.lots > 0;
  const standing = standingOf(exchange, subjectOf(exchange, position));
  const others = BigInt(standing.maintenance - maintenanceOfLots(market, position.lots));
  const equity = BigInt(standing.equity);
  const size = BigInt(Math.abs(position.lots)) * BigInt(market.grain);
  const value = size * BigInt(market.prices.mark);
  const one = BigInt(rateOne);
  const rate = BigInt(market.terms.maintenanceMarginRate);
  const numerator = (long ? others - equity + value : equity - others + value) * one;
  const denominator = size * (long ? one - rate : one + rate);
  if (numerator <= 0n) return 0 as Ticks;
  const floor = numerator / denominator;
  const ticks = long && numerator % denominator > 0n ? floor + 1n : floor;
  return (ticks > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(ticks)) as Ticks;
}
