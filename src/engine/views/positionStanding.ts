// Where a position stands between its present mark and its liquidation (LIQ-1, LIQ-7): figures for
// which everything counts that would be liquidated together with it. positionFigures.ts has those
// of the position alone.

import { assert } from '../../std/assert.ts';
import type { Rate, Ticks } from '../../units/units.ts';
import { maintenanceMargin, ticksAtMaintenance } from '../clearing/maintenance.ts';
import { type MarginStatus, marginStatusOf, subjectOf } from '../clearing/marginStatus.ts';
import type { Position as PositionState } from '../position.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { marginRatio } from './marginRatio.ts';
import type { Position } from './position.ts';
import { stateOf } from './stateOf.ts';

export type PositionStanding = {
  /**
   * The mark at which, all else unchanged, equity = Σ maintenance, to a tick against the account; 0
   * if none (LIQ-7). An isolated position answers alone.
   */
  readonly liquidationTicks: Ticks;
  /** Of the account, or of an isolated position alone (marginRatio.ts). */
  readonly marginRatio: Rate;
};

/**
 * Gives the standing of any position of the account, as long as nothing changes. Cost: the
 * account's markets once, however many of its positions are asked for.
 */
export function standingsOf(
  exchange: Exchange,
  { id }: Account,
): (position: Position) => PositionStanding {
  const state = stateOf.exchange(exchange);
  let whole: MarginStatus | undefined;
  const statusOf = (held: PositionState): MarginStatus => {
    const subject = subjectOf(state, held);
    if (subject.position !== undefined) return marginStatusOf(state, subject);
    whole ??= marginStatusOf(state, subject);
    return whole;
  };
  return (position) => {
    assert(position.account === id, 'the standings are those of one account');
    const held = stateOf.position(position);
    const status = statusOf(held);
    const { equity, maintenance } = status;
    return {
      liquidationTicks: position.lots === 0 ? (0 as Ticks) : ticksOf(state, held, status),
      marginRatio: marginRatio(maintenance, equity),
    };
  };
}

type State = ReturnType<typeof stateOf.exchange>;

function ticksOf(
  { markets }: State,
  held: PositionState,
  { equity, maintenance }: MarginStatus,
): Ticks {
  const market = markets[held.market]!;
  const others = maintenance - maintenanceMargin(market, held);
  return ticksAtMaintenance(market, held, BigInt(equity) - BigInt(others));
}
