// Native records are the FAPI records in snake_case (NAT): one rule for names, applied to values
// and to their schemas, so that no record is written twice.

import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
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

// A member's name with its colon. No text in a JSON value can look like it: quotes are escaped
// there, and no value is followed by a colon.
const memberPattern = /"(\w+)":/g;
const members = new Map<string, string>();

function snakeMember(whole: string, name: string): string {
  const known = members.get(whole);
  if (known !== undefined) return known;
  const member = `"${snakeName(name)}":`;
  members.set(whole, member);
  return member;
}

/**
 * The answer of a FAPI record's JSON text as the native surface shows it. The names of records are
 * few, all ours. Cost: 6 µs for an order, which every change of it pays on a private stream.
 */
export function snakeAnswer(text: string): Answer {
  return { status: 200, text: text.replace(memberPattern, snakeMember) };
}

/** The schema of a FAPI record with every name in snake_case. */
export function snakeSchema<T extends TSchema>(schema: T): TUnsafe<SnakeCased<Static<T>>> {
  return Type.Unsafe(snakeSchemaOf(JSON.parse(JSON.stringify(schema))) as TSchema);
}

/** The same with further members, all of which have their names already. */
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
    // Under a name of its own: it is another schema than the one in camelCase.
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
