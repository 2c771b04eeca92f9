// Native records are the FAPI records in snake_case (NAT): one rule for names, applied to values
// and to their schemas, so that no record is written twice.

import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Answer } from '../operation.ts';

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

/** A JSON value with every member's name in snake_case. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [snakeName(name), snakeCase(member)]));
}

/** The answer of a FAPI record's JSON text as the native surface shows it. */
export function snakeAnswer(text: string): Answer {
  return { status: 200, text: JSON.stringify(snakeCase(JSON.parse(text))) };
}

/** The schema of a FAPI record with every name in snake_case. */
export function snakeSchema<T extends TSchema>(schema: T): TUnsafe<SnakeCased<Static<T>>> {
  return Type.Unsafe(snakeSchemaOf(JSON.parse(JSON.stringify(schema))) as TSchema);
}

type PlainSchema = {
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly items?: PlainSchema;
};

function snakeSchemaOf(schema: PlainSchema): PlainSchema {
  const { properties, required, items } = schema;
  return {
    ...schema,
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
