// Assertions of invariants. They stay on in production: a fault stops the process, so that it never
// continues with a wrong state.

/** What an assertion throws: a defect of the exchange, never of the caller. */
export class Fault extends Error {
  override name = 'Fault';
}

/**
 * Whether it is a `Fault`. The `Fault` may be of another copy of these sources (an engine that was
 * kept).
 */
export function isFault(error: unknown): error is Fault {
  return error instanceof Error && error.name === 'Fault';
}

/** Throws a `Fault` with `message` unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Fault(message);
}

/** The value itself. Faults when it is absent. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Fault(message);
  return value;
}

/** Ends a switch over a union: a missing case does not compile. */
export function unreachable(value: never): never {
  throw new Fault(`unreachable: ${String(value)}`);
}
