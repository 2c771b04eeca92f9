// The kinds of values in answers, each as a schema that states everything about the value. So the
// tests find an answer with a member, a word or a form that the document does not have.
// parameterSchema.ts has the kinds of values in requests.

import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';

/** An object with these members and no others. */
export function exactObject<P extends TProperties>(members: P, description?: string): TObject<P> {
  return Type.Object(members, { additionalProperties: false, ...noteOf(description) });
}

/**
 * The same schema under a name. The document then describes it once, and all users refer to it. One
 * name means one schema only.
 */
export function namedAnswerSchema<T extends TSchema>(title: string, schema: T): T {
  // typebox keeps its own members of a schema where spreading does not find them.
  const { ...members } = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({ title }, members) as unknown as T;
}

/** One of these words. */
export function wordsText<const W extends string>(
  words: readonly W[],
  description?: string,
): TUnsafe<W> {
  return Type.Unsafe<W>({ type: 'string', enum: [...words], ...noteOf(description) });
}

/** A decimal: sign, digits, point, digits. */
export function decimalText(description?: string) {
  return Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', ...noteOf(description) });
}

/** A whole number of at least zero, as text. */
export function wholeText(description?: string) {
  return Type.String({ pattern: '^\\d+$', ...noteOf(description) });
}

/** An id that the exchange made (ID-1). */
export function idText(description?: string) {
  return Type.String({ format: 'uuid', ...noteOf(description) });
}

/** A client's own id, or the id that the exchange made instead (ID-2). */
export function clientIdText() {
  return Type.String({ pattern: '^[.A-Z:/a-z0-9_-]{1,36}$' });
}

/** This number of characters of lower-case hex. */
export function hexText(length: number, description?: string) {
  return Type.String({ pattern: `^[0-9a-f]{${length}}$`, ...noteOf(description) });
}

/** A market's symbol in its canonical form (SYM-0). */
export function symbolText() {
  return Type.String({ pattern: '^[A-Z0-9]{1,32}$' });
}

export function assetText() {
  return Type.String({ pattern: '^[A-Z0-9]{1,16}$' });
}

/** A wallet's address in lower case. */
export function walletText(description?: string) {
  return Type.String({ pattern: '^0x[0-9a-f]{40}$', ...noteOf(description) });
}

/** A time as text: ISO 8601, UTC. */
export function dateText() {
  return Type.String({ format: 'date-time' });
}

/** Any text; the description must say what it is. */
export function plainText(description: string) {
  return Type.String({ description });
}

/** Milliseconds since the epoch, unless the description says otherwise; 0 means never. */
export function timeNumber(description?: string) {
  return Type.Integer({ minimum: 0, ...noteOf(description) });
}

/** Whole seconds since the epoch. */
export function secondsNumber() {
  return Type.Integer({ minimum: 0, description: 'Seconds.' });
}

/** A count. */
export function countNumber(description?: string) {
  return Type.Integer({ minimum: 0, ...noteOf(description) });
}

/** The same, or an empty text when there is no value. */
export function orEmpty<T extends TSchema>(schema: T) {
  return Type.Union([Type.Literal(''), schema]);
}

export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], noteOf(description));
}

function noteOf(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
