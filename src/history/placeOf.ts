// The row of `place` and what it says to the rest.

import type { HistoryCounters, HistoryPlace } from './history.ts';
import type { PlaceRow } from './historyTables.ts';

/** The place that the row tells. */
export function placeOf(row: PlaceRow): HistoryPlace {
  const { position, hash, time } = row;
  return { position, hash, time, counters: JSON.parse(row.counters) as HistoryCounters };
}

/** What of the row moves with the place, in the order in which the writers set it. */
export function cellsOfPlace(place: HistoryPlace): [number, string, number, string] {
  return [place.position, place.hash, place.time, JSON.stringify(place.counters)];
}
