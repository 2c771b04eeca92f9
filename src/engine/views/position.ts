// A position as readers see it: its values, not its queues of orders. Open orders stand in
// openOrdersOf.ts, figures in positionFigures.ts.

import type { MarketId } from '../../units/units.ts';
import { rankPositions as rank } from '../clearing/deleverage.ts';
import { holdersOf as holdersIn } from '../clearing/liquidationIndex.ts';
import type { Side } from '../orderTypes.ts';
import type { Position as PositionState } from '../position.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

export type Position = Readonly<
  Pick<
    PositionState,
    | 'account'
    | 'market'
    | 'leverage'
    | 'lots'
    | 'entry'
    | 'collateral'
    | 'orderCount'
    | 'updatedAt'
    | 'uncovered'
    | 'surcharge'
    | 'flagged'
  >
>;

/** The account's record for a market; undefined where the account never was. */
export function positionOf(account: Account, market: MarketId): Position | undefined {
  return stateOf.account(account).positions[market];
}

/** The account's records by market number; undefined where the account never was. */
export function positionsOf(account: Account): readonly (Position | undefined)[] {
  return stateOf.account(account).positions;
}

/** The open positions of a market, by account. Cost: all that were open since the last call. */
export function holdersOf(market: Market): readonly Position[] {
  return holdersIn(stateOf.market(market));
}

/**
 * The positions of a side of a market but the fund's, best rank first (LIQ-4). Cost: all of them.
 */
export function rankPositions(exchange: Exchange, market: Market, side: Side): Position[] {
  return rank(stateOf.exchange(exchange), stateOf.market(market), side);
}
