// Reads JSON from external servers: a value of unknown shape, member by member. A number never
// becomes a price here, because only text becomes a price (middlePrice.ts).

/** The own member `name` of an object, or the element of an array; undefined when there is none. */
export function jsonMember(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}

/** The value of `text`; undefined when it is not JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A whole number of at most 2^53 − 1, as a number or as its text; undefined when it is neither. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}
