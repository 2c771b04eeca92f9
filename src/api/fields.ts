// The content of a request before it is interpreted: names and source texts. gateway/ makes it from
// query, form and JSON; readParameters.ts makes values of it for a row.

/**
 * A value as the client wrote it. Numbers and booleans of JSON keep their source text (UNIT-4), so
 * that no decimal ever passes through a double. JSON's null is `jsonNull`, which counts as not
 * sent.
 */
export type Value = string | readonly Value[] | Fields;

/** Values by name, the names in lower case. A Map, so that no name can reach a prototype. */
export type Fields = ReadonlyMap<string, Value>;

export const noFields: Fields = new Map();

/** The value of JSON's null. Only a row that knows it distinguishes it from a missing name. */
export const jsonNull: Fields = new Map();

/** Whether the value is an object with members. */
export function isFields(value: Value): value is Fields {
  return value instanceof Map && value !== jsonNull;
}

/** The scalar under a lower-case name; undefined when it is absent, empty or a list or object. */
export function scalarOf(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a value was sent under a lower-case name: it is neither absent nor empty nor null. */
export function isSent(fields: Fields, name: string): boolean {
  const value = fields.get(name);
  return value !== undefined && value !== '' && value !== jsonNull;
}
