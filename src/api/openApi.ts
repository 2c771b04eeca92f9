// The OpenAPI document of the operations table. It is data made of data: nothing here knows an
// operation. openApiResponses.ts makes the answers of an operation.

import type { TSchema } from 'typebox';
import type { ApiExample, ApiExamples } from './examples.ts';
import { type Fields, noFields } from './fields.ts';
import { failureSchemas, type OpenApiResponses, openApiResponses } from './openApiResponses.ts';
import type { Operation, Surface } from './operation.ts';
import { namedSchemas, plainSchema } from './plainSchema.ts';

export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: License;
  };
  readonly servers: readonly OpenApiServer[];
  readonly tags: readonly OpenApiTag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: unknown;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
};

type OpenApiTag = {
  readonly name: Surface;
  /** The name that people read. */
  readonly 'x-displayName': string;
  readonly description: string;
};

export type License = { readonly name: string; readonly identifier: string };

export type OpenApiServer = { readonly url: string; readonly description: string };

export type OpenApiParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
};

export type OpenApiBody = {
  readonly required: boolean;
  readonly description?: string;
  /** Names that must be in the body or in the query. */
  readonly 'x-required'?: readonly string[];
  readonly content: {
    readonly 'application/json': { readonly schema: BodySchema };
    readonly 'application/x-www-form-urlencoded'?: { readonly schema: BodySchema };
  };
};

type BodySchema = {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly tags: readonly Surface[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiBody;
  readonly servers?: readonly OpenApiServer[];
  readonly responses: OpenApiResponses;
  readonly 'x-example-request'?: ApiExample['request'];
};

const tags = [
  {
    name: 'fapi',
    'x-displayName': 'Futures API',
    description:
      'Futures-compatible API. Signed operations show X-MBX-APIKEY, a timestamp of at most 60 s ' +
      'away, and signature = hex(HMAC_SHA256(secret, query + body)) as the last of the query. ' +
      'X-MBX-USED-WEIGHT-1M shows the weight used in this minute; operations that count as ' +
      'orders show X-MBX-ORDER-COUNT-10S and X-MBX-ORDER-COUNT-1M besides. Parameters of POST, ' +
      'PUT and DELETE may stand in the query, in a form or in a JSON body (AUTH-3).',
  },
  {
    name: 'native',
    'x-displayName': 'Native API',
    description:
      'Native API: JSON bodies, and the bearer token of a login. With Idempotency-Key a ' +
      'repeated request finds what the first one did.',
  },
  {
    name: 'operator',
    'x-displayName': 'Operator',
    description: "Operator surface, on a listener of its own: operator's token.",
  },
  {
    name: 'probe',
    'x-displayName': 'Probes and documents',
    description: 'Probes and this documentation: open.',
  },
] as const;

const security = {
  none: [],
  key: [{ apiKey: [] }],
  keyOnly: [{ apiKey: [] }],
  jwt: [{ token: [] }],
  jwtOptional: [{}, { token: [] }],
  operator: [{ operatorToken: [] }],
} as const satisfies Record<Operation['auth'], unknown>;

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-MBX-APIKEY' },
  token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  operatorToken: { type: 'http', scheme: 'bearer' },
};

/** The same as package.json: no licence is granted. */
export const license: License = {
  name: 'UNLICENSED, all rights reserved',
  identifier: 'LicenseRef-UNLICENSED',
};

const servers: readonly OpenApiServer[] = [
  { url: '/', description: 'Where this document was read: the listener of clients.' },
  { url: 'http://127.0.0.1:8080', description: 'The listener of clients, as a start has it.' },
];
const operatorServers: readonly OpenApiServer[] = [
  { url: 'http://127.0.0.1:8081', description: "The operator's listener, as a start has it." },
];

const description =
  'A perpetual-futures exchange that settles in USDT. Decimals are strings, times milliseconds.';

/** The document of these rows, in their order, with the examples that exist. */
export function openApi(
  rows: readonly Operation[],
  version: string,
  examples: ApiExamples = {},
): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[row.method.toLowerCase()] = operationOf(row, examples[row.name]);
    paths[path] = methods;
  }
  const info = { title: 'Evermark', version, description, license };
  const schemas = { ...failureSchemas, ...namedSchemas(rows.map(({ response }) => response)) };
  const components = { securitySchemes, schemas };
  return { openapi: '3.1.0', info, servers, tags, paths, components };
}

function operationOf(row: Operation, example: ApiExample | undefined): OpenApiOperation {
  const inPath = new Set(Array.from(row.path.matchAll(/:(\w+)/g), ([, name]) => name));
  const inQuery = row.method === 'GET' || row.method === 'DELETE';
  const required = new Set<string>(row.parameters.required ?? []);
  const parameters: OpenApiParameter[] = [];
  const body: [string, TSchema][] = [];
  for (const [name, schema] of Object.entries(row.parameters.properties)) {
    const inBody = !inPath.has(name) && !inQuery;
    if (inBody) body.push([name, schema]);
    // FAPI accepts it in the query too (AUTH-3). A required parameter must be in one of the two.
    if (inBody && row.surface !== 'fapi') continue;
    const place = inPath.has(name) ? 'path' : 'query';
    const { description: text, ...plain } = plainSchema(schema) as { description?: string };
    const note = text === undefined ? {} : { description: text };
    const needed = required.has(name) && !inBody;
    parameters.push({ name, in: place, required: needed, ...note, schema: plain });
  }
  if (row.auth === 'key') parameters.push(...signatureParameters);
  if (row.idempotent === true) parameters.push(idempotencyParameter);
  return {
    operationId: row.name,
    tags: [row.surface],
    summary: row.summary,
    description: noteOf(row),
    security: security[row.auth],
    parameters,
    ...(body.length === 0 ? {} : { requestBody: bodyOf(row, body) }),
    ...(row.surface === 'operator' ? { servers: operatorServers } : {}),
    responses: openApiResponses(row, example),
    ...(example === undefined ? {} : { 'x-example-request': example.request }),
  };
}

const signatureParameters: readonly OpenApiParameter[] = [
  { name: 'timestamp', in: 'query', required: true, schema: { type: 'integer' } },
  { name: 'signature', in: 'query', required: true, schema: { type: 'string' } },
];

const idempotencyParameter: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
};

function noteOf({ surface, weight, countsAsOrder }: Operation): string {
  const notes: string[] = [];
  if (surface === 'fapi') notes.push(`Weight: ${weightText(weight)}.`);
  else if (typeof weight === 'function') {
    notes.push(`Counts as ${weight(ofHistory)} requests when it comes from history.`);
  } else if (weight !== 1 && surface !== 'operator') notes.push(`Counts as ${weight} requests.`);
  if (countsAsOrder === true) notes.push('Counts as an order.');
  return notes.join(' ');
}

/** Orders and triggers that no longer wait. */
const ofHistory: Fields = new Map([['status', 'CANCELED']]);

/** A weight of FAPI that is a function depends on whether a symbol is sent. */
function weightText(weight: Operation['weight']): string {
  if (typeof weight === 'number') return String(weight);
  const one = weight(new Map([['symbol', 'BTCUSDT']]));
  return `${one} with a symbol, ${weight(noFields)} without`;
}

function bodyOf(
  { surface, parameters }: Operation,
  members: readonly [string, TSchema][],
): OpenApiBody {
  const needed = new Set<string>(parameters.required ?? []);
  const inQueryToo = surface === 'fapi';
  const schema = {
    type: 'object' as const,
    // What is in the query need not be in the body.
    required: inQueryToo ? [] : members.map(([name]) => name).filter((name) => needed.has(name)),
    properties: Object.fromEntries(members.map(([name, each]) => [name, plainSchema(each)])),
  };
  const json = { 'application/json': { schema } };
  if (!inQueryToo) return { required: schema.required.length > 0, content: json };
  const content = { ...json, 'application/x-www-form-urlencoded': { schema } };
  const description = 'Each parameter stands in the query or here.';
  return { required: false, description, 'x-required': [...needed], content };
}
