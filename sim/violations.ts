// The violations that a simulation found, each with its time of the day.

export type Violations = { readonly found: string[]; count: number; time: number };

const foundMax = 100;

export function createViolations(): Violations {
  return { found: [], count: 0, time: 0 };
}

/** Notes a violation; only the first hundred keep their words. */
export function violated(violations: Violations, what: string): void {
  violations.count += 1;
  if (violations.found.length >= foundMax) return;
  violations.found.push(`${new Date(violations.time).toISOString()} ${what}`);
}
