// The native names of records: FAPI's names in snake_case (NAT). One rule serves values, templates
// of text and schemas, so that each record is described once.

import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Fields, Value } from '../fields.ts';
import { readingOf } from '../parameterSchema.ts';
import { recordTextNamed } from '../recordText.ts';
import type { Refusal } from '../refusal.ts';

type SnakeName<S extends string> = S extends `${infer Head}${infer Rest}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeName<Rest>}`
    : `_${Lowercase<Head>}${SnakeName<Rest>}`
  : S;

/** The type of a record with every name in snake_case. */
export type SnakeCased<T> = T extends readonly (infer Item)[]
  ? SnakeCased<Item>[]
  : T extends object
    ? { [K in keyof T as K extends string ? SnakeName<K> : K]: SnakeCased<T[K]> }
    : T;

const snakeName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

function nativeName(name: string): string {
  let known = names.get(name);
  if (known === undefined) {
    known = snakeName(name);
    names.set(name, known);
  }
  return known;
}

/**
 * A FAPI record with its native names, in the same order; the same applies to the records inside
 * it.
 */
export function nativeRecord<T extends object>(record: T): SnakeCased<T> {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) named[nativeName(name)] = nativeValue(value);
  return named as SnakeCased<T>;
}

function nativeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nativeValue);
  return typeof value === 'object' && value !== null ? nativeRecord(value) : value;
}

/** A refusal that names a parameter by FAPI's name, with the native name instead. */
export function nativeRefusal<R extends Refusal>(refusal: R): R {
  return 'name' in refusal ? { ...refusal, name: nativeName(refusal.name) } : refusal;
}

/**
 * Makes the function that gives what was sent under the native names of these parameters, under
 * FAPI's names. Both are compared in lower case. Any other name is left out: the row does not read
 * it, so it must not count as sent.
 */
export function createFapiFields(parameters: TObject): (fields: Fields) => Fields {
  const fapiNames = Object.entries(parameters.properties)
    .flatMap(([name, schema]) => [name, ...(readingOf(schema)?.aliases ?? [])])
    .map((name) => [name, name.replaceAll('_', '')] as const);
  return (fields) => {
    const sent = new Map<string, Value>();
    for (const [name, fapiName] of fapiNames) {
      const value = fields.get(name);
      if (value !== undefined) sent.set(fapiName, value);
    }
    return sent;
  };
}

/** The tag for templates of text with native names. */
export const nativeText = recordTextNamed(snakeName);

/** The schema of a FAPI record with every name in snake_case. */
export function snakeSchema<T extends TSchema>(schema: T): TUnsafe<SnakeCased<Static<T>>> {
  return Type.Unsafe(snakeSchemaOf(JSON.parse(JSON.stringify(schema))) as TSchema);
}

/** The same with further members, which have their native names already. */
export function snakeSchemaWith<T extends TObject, M extends TObject>(
  schema: T,
  more: M,
): TUnsafe<SnakeCased<Static<T>> & Static<M>> {
  const { title: _title, ...snake } = snakeSchemaOf(JSON.parse(JSON.stringify(schema)));
  return Type.Unsafe({
    ...snake,
    properties: { ...snake.properties, ...more.properties },
    required: [...(snake.required ?? []), ...(more.required ?? [])],
  });
}

type PlainSchema = {
  readonly title?: string;
  readonly anyOf?: readonly PlainSchema[];
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly items?: PlainSchema;
};

function snakeSchemaOf(schema: PlainSchema): PlainSchema {
  const { title, properties, required, items, anyOf } = schema;
  const differs = properties !== undefined || anyOf !== undefined;
  return {
    ...schema,
    // It gets its own name, because it is a different schema from the one in camelCase.
    ...(title === undefined || !differs ? {} : { title: `Native${title}` }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(snakeSchemaOf) }),
    ...(required === undefined ? {} : { required: required.map(snakeName) }),
    ...(items === undefined ? {} : { items: snakeSchemaOf(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [
              snakeName(name),
              snakeSchemaOf(each),
            ]),
          ),
        }),
  };
}
