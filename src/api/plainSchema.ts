// A row's schema as plain JSON Schema: without the members that only the reader of parameters
// needs, and with a reference for each named schema (answerSchema.ts).

import type { TSchema } from 'typebox';

type Plain = Readonly<Record<string, unknown>> & { readonly title?: string };

const componentsPath = '#/components/schemas/';

/** The schema with a reference for each named one in it. */
export function plainSchema(schema: TSchema): unknown {
  return referring(withoutReading(schema));
}

/** The named schemas inside these, each once, in the order of their names. */
export function namedSchemas(schemas: readonly TSchema[]): Readonly<Record<string, unknown>> {
  const found = new Map<string, string>();
  const bodies: Record<string, unknown> = {};
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) collect(member);
    const { title, ...body } = value as Plain;
    if (Array.isArray(value) || typeof title !== 'string') return;
    const text = JSON.stringify(body);
    const known = found.get(title);
    if (known !== undefined && known !== text) throw new Error(`two schemas are named ${title}`);
    found.set(title, text);
    bodies[title] = referring(body);
  };
  for (const schema of schemas) collect(withoutReading(schema));
  return Object.fromEntries(Object.entries(bodies).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutReading(schema: TSchema): Plain {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === 'x-reading' ? undefined : value)),
  ) as Plain;
}

function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  const { title } = value as Plain;
  if (typeof title === 'string') return { $ref: `${componentsPath}${title}` };
  const members = Object.entries(value).map(([name, member]) => [name, referring(member)]);
  return tupleOf(Object.fromEntries(members));
}

/** A tuple in the form of OpenAPI 3.1: `items` is the schema of what follows the prefix. */
function tupleOf(schema: Plain): Plain {
  const { items, additionalItems: _additional, ...rest } = schema;
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: false } : schema;
}
