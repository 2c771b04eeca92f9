// What a request carries, before anything is understood: names and source texts. How query, form
// and JSON become this stands in gateway/; what a row makes of it, in readParameters.ts.

/**
 * A value as the client wrote it. Numbers and booleans of JSON are their source text (UNIT-4), so
 * that no decimal ever passes through a double; JSON's null is `jsonNull`: as if it was not sent.
 */
export type Value = string | readonly Value[] | Fields;

/** Values by name, the names in lower case. A Map, so that no name can reach a prototype. */
export type Fields = ReadonlyMap<string, Value>;

export const noFields: Fields = new Map();

/** What JSON's null reads as; only a row that knows it distinguishes it from a missing name. */
export const jsonNull: Fields = new Map();

/** Whether the value is the members of an object. */
export function isFields(value: Value): value is Fields {
  return value instanceof Map && value !== jsonNull;
}

/** The scalar under a lower-case name; undefined when it is absent, empty or a list or object. */
export function scalarOf(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether something was sent under a lower-case name: neither absent nor empty nor null. */
export function isSent(fields: Fields, name: string): boolean {
  const value = fields.get(name);
  return value !== undefined && value !== '' && value !== jsonNull;
}
