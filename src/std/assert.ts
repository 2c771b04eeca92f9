// The word for a broken invariant. Assertions stay on in production: a fault stops, it never lies.

/** What an assertion throws: a fault of ours, never of the caller. */
export class Fault extends Error {
  override name = 'Fault';
}

/** Whether it is a `Fault`, also of another copy of these sources (an engine that was kept). */
export function isFault(error: unknown): error is Fault {
  return error instanceof Error && error.name === 'Fault';
}

/** Throws a `Fault` with `message` unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Fault(message);
}

/** The value itself, which must be there. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Fault(message);
  return value;
}

/** Closes a switch over a union: a case that is missing does not compile. */
export function unreachable(value: never): never {
  throw new Fault(`unreachable: ${String(value)}`);
}
