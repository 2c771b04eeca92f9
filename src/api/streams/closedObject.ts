// Objects of messages have exactly the members that their schema names: a test holds every message
// against it, and an undocumented member is a difference.

import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

export function closedObject<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** The same of a record that has its schema elsewhere. */
export function closedRecord<S extends TSchema>(schema: S): S {
  return { ...schema, additionalProperties: false };
}
