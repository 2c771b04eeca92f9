// The highest leverage with which an account may open on a side of a market now (MAR-10).

import type { Lots } from '../../units/units.ts';
import { leverageMaxOf } from '../clearing/openingSurcharge.ts';
import type { Side } from '../orderTypes.ts';
import type { Account } from './account.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

/** Of the next lot at the mark; before the first mark the maximum of the market. */
export function leverageRoomOf(market: Market, account: Account, side: Side): number {
  const { mark: ticks } = market.prices;
  if (ticks === 0) return market.terms.maxLeverage;
  const opening = { side, lots: 1 as Lots, ticks };
  return leverageMaxOf(stateOf.market(market), stateOf.account(account), opening);
}
