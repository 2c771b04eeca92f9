// The row of `place`, and the place that it holds.

import type { HistoryCounters, HistoryPlace } from './history.ts';
import type { PlaceRow } from './historyTables.ts';

/** The place in the row. */
export function placeOf(row: PlaceRow): HistoryPlace {
  const { position, hash, time } = row;
  return { position, hash, time, counters: JSON.parse(row.counters) as HistoryCounters };
}

/** The cells of the row that change with the place, in the order in which the writers set them. */
export function cellsOfPlace(place: HistoryPlace): [number, string, number, string] {
  return [place.position, place.hash, place.time, JSON.stringify(place.counters)];
}
