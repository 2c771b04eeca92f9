// The cost of a command for the engine, counted in units (ORD-14). It is the same in every replay,
// because it follows from state and command. A unit is about one order met in a sweep. The counter
// itself, `exchange.work`, counts 64ths of a unit and is never in a snapshot.

const partsPerUnit = 64;

/** The cost of each step, in 64ths of a unit: the table of ORD-14. */
export const workOf = {
  /** A command, or an item of a batch. */
  command: 64,
  /** An incoming order meets a resting one, again in every tentative execution. */
  meeting: 96,
  /**
   * A record that a tentative execution has changed and that is restored: up to five for an order
   * met.
   */
  takenBack: 12,
  /** An order or a trigger ends. */
  ended: 32,
  /** A trigger fires; the work of its order is counted separately. */
  fired: 256,
  /** A due trigger gets a place in a later round (TRG-6). */
  placed: 16,
  /** An account is checked for triggers of a settled market (SYM-2b); a connection ends (COD-4). */
  visited: 2,
  /** A timer runs; its work is counted separately. */
  timer: 32,
  /** A level whose lots are added up. */
  level: 4,
  /**
   * An order that is read to distribute cover, to find a freeze, or for a trigger's place (TRG-6);
   * a pair of a smaller position (ATT-2); a referrer above a code (NAT-4a); a trigger in a turn of
   * COD-5.
   */
  looked: 1,
  /** An open position that is read to judge one side of a fill; a market in a turn of COD-5. */
  position: 4,
} as const;

/** The whole units of a counter, rounded up. */
export function unitsOfWork(parts: number): number {
  return Math.ceil(parts / partsPerUnit);
}

/** The counter's value for whole units. */
export function partsOf(units: number): number {
  return units * partsPerUnit;
}
