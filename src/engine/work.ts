// What a command costs the engine, counted in units (ORD-14): the same in every replay, because it
// follows from state and command. A unit is about one order met in a sweep. The counter itself,
// `exchange.work`, is in sixteenths of a unit and never in a snapshot.

const partsPerUnit = 16;

/** What each step costs, in sixteenths of a unit: the table of ORD-14. */
export const workOf = {
  /** A command, or an item of a batch. */
  command: 16,
  /** An incoming order meets a resting one, in every attempt of a trial again. */
  meeting: 16,
  /** A record that a trial has changed and that is taken back: up to five for an order met. */
  takenBack: 4,
  /** An order or a trigger ends. */
  ended: 8,
  /** A trigger fires; what its order does is counted besides. */
  fired: 32,
  /** A timer runs; what it does is counted besides. */
  timer: 8,
  /** A level whose lots are added up. */
  level: 2,
  /** An order that is looked at, to deal cover or to find a freeze. */
  looked: 1,
  /** A market that is looked at to judge one side of a fill. */
  position: 1,
} as const;

/** The whole units of what a counter says, rounded up. */
export function unitsOfWork(sixteenths: number): number {
  return Math.ceil(sixteenths / partsPerUnit);
}

/** Whole units as the counter counts them. */
export function sixteenthsOf(units: number): number {
  return units * partsPerUnit;
}
