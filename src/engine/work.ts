// What a command costs the engine, counted in units (ORD-14): the same in every replay, because it
// follows from state and command. A unit is about one order met in a sweep. The counter itself,
// `exchange.work`, is in 64ths of a unit and never in a snapshot.

const partsPerUnit = 64;

/** What each step costs, in 64ths of a unit: the table of ORD-14. */
export const workOf = {
  /** A command, or an item of a batch. */
  command: 64,
  /** An incoming order meets a resting one, in every attempt of a trial again. */
  meeting: 96,
  /** A record that a trial has changed and that is taken back: up to five for an order met. */
  takenBack: 12,
  /** An order or a trigger ends. */
  ended: 32,
  /** A trigger fires; what its order does is counted besides. */
  fired: 256,
  /** A due trigger gets a place in a later round (TRG-6). */
  placed: 16,
  /** An account is looked at for triggers of a settled market (SYM-2b). */
  visited: 2,
  /** A timer runs; what it does is counted besides. */
  timer: 32,
  /** A level whose lots are added up. */
  level: 4,
  /** An order that is looked at, to deal cover or to find a freeze. */
  looked: 1,
  /** A market that is looked at to judge one side of a fill. */
  position: 2,
} as const;

/** The whole units of what a counter says, rounded up. */
export function unitsOfWork(parts: number): number {
  return Math.ceil(parts / partsPerUnit);
}

/** Whole units as the counter counts them. */
export function partsOf(units: number): number {
  return units * partsPerUnit;
}
