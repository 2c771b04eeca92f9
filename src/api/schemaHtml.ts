// A JSON Schema as HTML for people: members in a table, words in a line, named schemas as links to
// their explanation.

type Schema = Readonly<{
  $ref?: string;
  type?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  items?: Schema | false;
  prefixItems?: readonly Schema[];
  anyOf?: readonly Schema[];
}>;

export type Row = {
  readonly name: string;
  readonly note: string;
  readonly schema: unknown;
};

/** The whole schema: its type in a line, the members of its objects in tables below. */
export function schemaHtml(schema: unknown): string {
  const { description } = schema as Schema;
  const note = description === undefined ? '' : ` ${escaped(description)}`;
  return `<p>${typeHtml(schema as Schema)}${note}</p>${membersHtml(schema as Schema)}`;
}

/** A table of members: name, note, type with description. */
export function tableHtml(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ name, note, schema }) => {
    const { description = '' } = schema as Schema;
    return (
      `<tr><td><code>${escaped(name)}</code></td><td>${escaped(note)}</td>` +
      `<td>${typeHtml(schema as Schema)} ${escaped(description)}` +
      `${membersHtml(schema as Schema)}</td></tr>`
    );
  });
  return `<table>${lines.join('')}</table>`;
}

const code = (text: string): string => `<code>${escaped(text)}</code>`;

function typeHtml(schema: Schema): string {
  const { $ref, type, anyOf, prefixItems, items } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#type-${escaped(name)}">${escaped(name)}</a>`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((word) => code(String(word))).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeHtml).join(' or ');
  if (prefixItems !== undefined) return `array of ${prefixItems.length}`;
  if (items !== undefined && items !== false) return `array of ${typeHtml(items)}`;
  return `${escaped(type ?? 'anything')}${boundsHtml(schema)}`;
}

function boundsHtml({ pattern, format, minimum, maximum, maxLength }: Schema): string {
  const bounds = [
    ...(format === undefined ? [] : [escaped(format)]),
    ...(pattern === undefined ? [] : [code(pattern)]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  return bounds.length === 0 ? '' : ` (${bounds.join(', ')})`;
}

/** The tables of the objects inside, in the order of the schema. */
function membersHtml({ properties, required = [], items, prefixItems, anyOf }: Schema): string {
  if (properties !== undefined) {
    return tableHtml(
      Object.entries(properties).map(([name, schema]) => ({
        name,
        note: required.includes(name) ? '' : 'not always',
        schema,
      })),
    );
  }
  if (prefixItems !== undefined) {
    return tableHtml(
      prefixItems.map((schema, place) => ({ name: String(place), note: '', schema })),
    );
  }
  if (items !== undefined && items !== false) return membersHtml(items);
  return withoutRepeats((anyOf ?? []).map(membersHtml)).join('');
}

/** One record and an array of it are described once. */
const withoutRepeats = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
