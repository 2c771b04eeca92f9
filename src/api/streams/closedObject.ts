// Objects of messages have exactly the members that their schema names. A test compares every
// message with it, and an undocumented member counts as a difference.

import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

export function closedObject<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** The same for a record whose schema is elsewhere. */
export function closedRecord<S extends TSchema>(schema: S): S {
  return { ...schema, additionalProperties: false };
}
