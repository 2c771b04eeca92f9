// Builds the package of the client (packages/client/dist): JavaScript for Node and for browsers,
// and declarations. The types of operations and messages are made from the same schemas as the
// documents. `npm run pack:client` runs it and packs the result. An argument names another folder.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { TObject, TSchema } from 'typebox';
import { fapiOperations } from '../src/api/fapi/fapiOperations.ts';
import type { Operation, Route } from '../src/api/operation.ts';
import { nativeOperations } from '../src/api/operations.ts';
import { namedSchemas, plainSchema } from '../src/api/plainSchema.ts';
import { channelMessages } from '../src/api/streams/channelMessages.ts';

const folder = join(import.meta.dirname, '../packages/client');
const dist = process.argv[2] ?? join(folder, 'dist');

type Rows = Readonly<Record<string, Operation>>;
const surfaces = { fapi: fapiOperations, native: nativeOperations } as unknown as {
  readonly fapi: Rows;
  readonly native: Rows;
};

const routeOf = ({ method, path, auth }: Operation): Route => ({ method, path, auth });

function routesModule(): string {
  return Object.entries(surfaces)
    .map(([surface, rows]) => {
      const routes = Object.entries(rows).map(([name, row]) => [name, routeOf(row)]);
      return `export const ${surface}Routes = ${JSON.stringify(Object.fromEntries(routes))};`;
    })
    .join('\n');
}

const routesPlugin: Plugin = {
  name: 'routes',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^evermark:routes$/ }, ({ path }) => ({ path, namespace: 'routes' }));
    onLoad({ filter: /.*/, namespace: 'routes' }, () => ({
      contents: routesModule(),
      loader: 'js',
    }));
  },
};

async function bundle(entry: string, platform: 'node' | 'browser'): Promise<void> {
  await build({
    entryPoints: [join(folder, entry)],
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform,
    target: platform === 'node' ? 'node20' : 'es2022',
    external: ['ws'],
    plugins: [routesPlugin],
    logLevel: 'error',
    tsconfigRaw: '{}',
  });
}

const componentsPath = '#/components/schemas/';

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function sentSchema(parameters: TObject): unknown {
  const { properties, required = [] } = parameters;
  return {
    type: 'object',
    additionalProperties: false,
    required,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, plainSchema(schema)]),
    ),
  };
}

function declared(): {
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly calls: string;
} {
  const rows = Object.values(surfaces).flatMap((each) => Object.values(each));
  const responses: readonly TSchema[] = rows.map(({ response }) => response);
  const messages = Object.entries(channelMessages);
  const named = namedSchemas([...responses, ...messages.map(([, schema]) => schema)]);
  const definitions: Record<string, unknown> = { ...named };
  const interfaces = Object.entries(surfaces).map(([surface, each]) => {
    const calls = Object.entries(each).map(([name, row]) => {
      const sent = `${capital(name)}Parameters`;
      definitions[sent] = sentSchema(row.parameters);
      const response = plainSchema(row.response) as { readonly $ref?: string };
      const result = response.$ref?.slice(componentsPath.length) ?? `${capital(name)}Result`;
      definitions[result] ??= response;
      const needed = (row.parameters.required ?? []).length > 0 ? '' : '?';
      return (
        `  /** ${row.summary} \`${row.method} ${row.path}\` */\n` +
        `  ${name}(parameters${needed}: ${sent}, options?: CallOptions): Promise<${result}>;`
      );
    });
    return `export interface ${capital(surface)}Calls {\n${calls.join('\n')}\n}`;
  });
  for (const [name, schema] of messages) {
    definitions[`${capital(name)}Message`] = plainSchema(schema);
  }
  return { definitions, calls: interfaces.join('\n\n') };
}

/** The forms that json-schema-to-typescript reads: definitions, and tuples as draft 4 has them. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, prefixItems, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof $ref === 'string') return { $ref: $ref.replace(componentsPath, '#/definitions/') };
  const members = Object.entries(rest).map(([name, member]) => [name, readable(member)]);
  const plain = Object.fromEntries(members) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(prefixItems)) return plain;
  const { length } = prefixItems;
  return { ...plain, items: readable(prefixItems), minItems: length, maxItems: length };
}

/** The library says of each definition where it found it. */
const foundNote = /\/\*\*\s*\* This interface was referenced by[^/]*\*\/\s*/g;

const callOptions = `export interface CallOptions {
  /** With it a repeated call gets the result of the first one. */
  readonly idempotencyKey?: string;
}`;

async function declarations(): Promise<string> {
  const { definitions, calls } = declared();
  const schema = { title: 'Nothing', not: {}, definitions: readable(definitions) } as JSONSchema;
  const types = await compile(schema, 'Nothing', {
    unreachableDefinitions: true,
    additionalProperties: false,
    bannerComment: '',
  });
  return `${types.replaceAll(foundNote, '')}\n${callOptions}\n\n${calls}\n`;
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await Promise.all([bundle('node.ts', 'node'), bundle('browser.ts', 'browser')]);
writeFileSync(join(dist, 'operations.d.ts'), await declarations());
copyFileSync(join(folder, 'index.d.ts'), join(dist, 'index.d.ts'));
