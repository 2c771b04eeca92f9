// Turns the steps of a replica into rows of history, which are drained for one transaction each.
// takeStep.ts decides which event makes which rows, gathering.ts holds the rows until their drain,
// history.ts is the port that writes them.

import type { Event } from '../engine/event.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import { assert } from '../std/assert.ts';
import { bucketAfter } from '../units/interval.ts';
import type { Time } from '../units/units.ts';
import { closedCandleRows } from './closedCandleRows.ts';
import {
  accountRowOf,
  append,
  createGathering,
  type Drained,
  drainGathering,
  sizeOf,
} from './gathering.ts';
import type { HistoryPlace } from './history.ts';
import { takeStep } from './takeStep.ts';

export type Projector = {
  /** Takes a step's events, with the state after that step: `state.onEvents` calls it. */
  readonly take: (events: readonly Event[], state: ReplicaState) => void;
  /**
   * Everything since the last drain; then it begins again. Call it only between batches: rows and
   * counters belong to the position and time of the state.
   */
  readonly drain: (state: ReplicaState) => Drained;
  /** The number of rows that a drain would give, without the candles that close by then. */
  readonly size: () => number;
};

/**
 * A projector for a replica at `place`, up to which the tables are complete. It gives the same rows
 * as a projector that has run from the log's beginning.
 */
export function createProjector(place: HistoryPlace, state: ReplicaState): Projector {
  assert(place.position === state.position, 'a projector begins where its tables end');
  const gathering = createGathering(place, state);
  let candlesReported = place.time as Time;
  // Candles of all intervals end with a minute.
  let minuteEnd = bucketAfter('1m', candlesReported, 1);
  if (place.position === 0) {
    gathering.queues.accounts.push(accountRowOf(state.exchange, insuranceAccount));
  }
  const takeCandles = ({ exchange: { time }, views }: ReplicaState): void => {
    if (time < minuteEnd) return;
    append(gathering.queues.candles, closedCandleRows(views.markets, candlesReported, time));
    candlesReported = time;
    minuteEnd = bucketAfter('1m', time, 1);
  };
  return {
    take: (events, replica) => {
      takeCandles(replica);
      takeStep(gathering, events, replica.exchange);
    },
    drain: (replica) => {
      takeCandles(replica);
      return drainGathering(gathering, replica.exchange);
    },
    size: () => sizeOf(gathering),
  };
}
